import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotificationLedger } from '../../../scripts/soak/notification-ledger.js';

const first = { bytes: 'a', number: 1 };

function counted(told: number, now: { bytes: string; number: number }): [lost: number, doubled: number] {
  const ledger = new NotificationLedger(first);
  for (let i = 0; i < told; i++) ledger.told();
  ledger.rest(now);
  return [ledger.lost, ledger.doubled];
}

describe('The count of notifications from one rest to the next', () => {
  it.each([
    ['nothing, and nothing was told', 0, first, [0, 0]],
    ['a change that was told of', 1, { bytes: 'b', number: 2 }, [0, 0]],
    ['a change that was not told of: lost', 0, { bytes: 'b', number: 2 }, [1, 0]],
    ['no change, and one was told of: false', 1, first, [0, 1]],
    ['a generation without a change of the list, that was told of: false', 1, { bytes: 'a', number: 2 }, [0, 1]],
    ['a change that was told of twice: doubled', 2, { bytes: 'b', number: 2 }, [0, 1]],
    ['two changes that were told of once: the client reads the list after both', 1, { bytes: 'c', number: 3 }, [0, 0]],
    ['a change and its undoing, that were both told of', 2, { bytes: 'a', number: 3 }, [0, 0]],
    ['three notifications of two generations: doubled', 3, { bytes: 'c', number: 3 }, [0, 1]],
  ])('finds %s', (_, told, now, expected) => {
    expect(counted(told, now)).toEqual(expected);
  });

  it('starts anew at each rest', () => {
    const ledger = new NotificationLedger(first);
    ledger.told();
    ledger.rest({ bytes: 'b', number: 2 });
    ledger.rest({ bytes: 'b', number: 2 });
    ledger.told();
    ledger.rest({ bytes: 'b', number: 2 });
    expect([ledger.lost, ledger.doubled]).toEqual([0, 1]);
  });

  it('finds nothing in what a right server tells, however many changes a client reads at once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5)), (changesBetweenRests) => {
        const ledger = new NotificationLedger({ bytes: '0', number: 0 });
        let number = 0;
        for (const changes of changesBetweenRests) {
          for (let i = 0; i < changes; i++) ledger.told();
          number += changes;
          ledger.rest({ bytes: String(number), number });
        }
        expect([ledger.lost, ledger.doubled]).toEqual([0, 0]);
      }),
    );
  });
});
