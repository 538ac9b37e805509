/** What a command is known to do; nothing is known of most. `adds`: each run adds something more. */
export type CommandEffect = 'destroys' | 'writes' | 'network' | 'adds';
