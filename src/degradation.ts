/**
 * Why a service serves less, or later, than the folders say. `folder-missing`: a node folder is not there, and what is known of it is kept.
 * `unwatched`: changes are found late. `behind`: the last changes cannot be taken in, and the generation before them is served.
 * `instance-missing`: an included instance cannot be had.
 */
export interface Degradation {
  readonly code: 'folder-missing' | 'unwatched' | 'behind' | 'instance-missing';
  /** One line, without a path of the host. */
  readonly message: string;
}
