/** An error for one line of a report: its text can quote what a client sent, so no line ends or control characters of it reach a terminal. */
export function reportedLine({ message }: Error): string {
  const printable = message.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
  return printable.length > 300 ? `${printable.slice(0, 300)}…` : printable;
}
