/** One page of WebAssembly memory, in bytes. */
export const pageBytes = 65_536;

const memorySection = 5;

/**
 * The module with a maximum for its memory, in pages: an allocation beyond it fails, and the engine traps. Nothing else bounds it short of
 * 4 GiB, because the memory of a module is no part of the heap that `resourceLimits` of a thread bounds. Throws where the module does not
 * define exactly one memory, of 32 bits and its own (https://webassembly.github.io/spec/core/binary/modules.html).
 */
export function withMemoryMaximum(module: Uint8Array, pages: number): Uint8Array {
  // After the magic number and the version.
  let at = 8;
  while (at < module.length) {
    const id = module[at];
    const size = readNumber(module, at + 1);
    const end = size.next + size.value;
    if (id === memorySection) {
      const count = readNumber(module, size.next);
      const flags = readNumber(module, count.next);
      if (count.value !== 1 || flags.value > 1) break;
      const minimum = readNumber(module, flags.next).value;
      const body = [1, 1, ...encoded(minimum), ...encoded(Math.max(minimum, pages))];
      const section = Uint8Array.from([memorySection, ...encoded(body.length), ...body]);
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)]);
    }
    at = end;
  }
  throw new Error('the engine has no memory that can be bounded; this toolgraph does not fit its version of oxigraph');
}

/** An unsigned LEB128 number. */
function readNumber(bytes: Uint8Array, from: number): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let at = from, shift = 0; ; at += 1, shift += 7) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
}

function encoded(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encoded(value >>> 7)];
}
