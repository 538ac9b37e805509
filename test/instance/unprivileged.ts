/** Runs `act` as a user whom file permissions bind, which root is not. Synchronous: the whole process changes its user. */
export function unprivileged<T>(act: () => T): T {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65_534);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}
