import { describe, expect, it } from 'vitest';
import { EventStream } from '../../scripts/event-stream.js';

describe('A stream of events', () => {
  const text = ': connected\n\nevent: message\ndata: {"a":1}\n\ndata: {"b":\ndata: 2}\n\nid: 7\ndata:\n\n';

  it('gives the data of each event once it is whole, however it is cut', () => {
    for (let size = 1; size <= text.length; size++) {
      const stream = new EventStream();
      const parts = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      expect(parts.flatMap((part) => stream.push(part))).toEqual(['{"a":1}', '{"b":\n2}']);
    }
  });

  it('takes line ends of Windows, and keeps what is not whole', () => {
    const stream = new EventStream();
    expect(stream.push('data: 1\r\n\r\ndata: 2\r\n')).toEqual(['1']);
    expect(stream.push('\r\n')).toEqual(['2']);
  });
});
