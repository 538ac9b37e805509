/** A statement of a document with a property, or a class, that neither our vocabulary has nor a harness's. */
export interface ForeignStatement {
  readonly document: string;
  readonly subject: string;
  /** The IRI of the property; of the class, where `isClass`. */
  readonly term: string;
  readonly isClass: boolean;
}

/** What a document states of a subject as of a Tool, or a part of one, that is at home nowhere. */
export interface UnclaimedSubject {
  readonly document: string;
  readonly subject: string;
  readonly properties: readonly string[];
}
