/** Where the verdict of the shapes is another one than that of the service, which is Zod's on the node that is read out of the graph. */
export interface ShaclLimit {
  readonly id: string;
  /** Which of the two accepts what the other refuses. */
  readonly accepts: 'shapes' | 'service';
  readonly what: string;
}

/** Complete, as far as the tests know: test/scripts/shacl-agreement.test.ts shows each, and finds no other. */
export const shaclLimits: readonly ShaclLimit[] = [
  {
    id: 'json',
    accepts: 'shapes',
    what: 'A key whose value is a JSON literal (`invoke`, `requires`, `when` and so on) is only known to be one: SHACL does not look inside.',
  },
  {
    id: 'rules',
    accepts: 'shapes',
    what: 'The rules that span several fields: positions without a gap, one name, flag or stdin for one input, `deprecated` only with its tier, a remedy that has either `tool` or `none`.',
  },
  {
    id: 'name',
    accepts: 'shapes',
    what: 'That the id of a node is the name in its IRI.',
  },
  {
    id: 'reference',
    accepts: 'shapes',
    what: 'How long the name in a reference to a Tool or a skill is.',
  },
  {
    id: 'foreign',
    accepts: 'service',
    what: 'A Tool, skill or view whose IRI lies outside the base of the instance may have any id; its MCP name is made from that.',
  },
  {
    id: 'term',
    accepts: 'service',
    what: 'A value of a fixed set in another form: `"stable"@en`, `"1"^^xsd:boolean`.',
  },
  {
    id: 'twice',
    accepts: 'service',
    what: 'One value in two forms where one belongs, such as `"x"` and `"x"@en`, or two lists with the same items.',
  },
];
