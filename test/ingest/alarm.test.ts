import { describe, expect, it } from 'vitest';
import { Alarm } from '../../src/ingest/alarm.js';

const hour = 3_600_000;

describe('An alarm', () => {
  it('ends a sleep', async () => {
    const alarm = new Alarm();
    const asleep = alarm.sleep(hour);
    alarm.ring();
    await asleep;
  });

  it('that rang before a sleep ends the next one, and only that, however often it rang', async () => {
    const alarm = new Alarm();
    alarm.ring();
    alarm.ring();
    await alarm.sleep(hour);
    const winner = await Promise.race([alarm.sleep(hour).then(() => 'slept'), Promise.resolve('still asleep')]);
    expect(winner).toBe('still asleep');
    alarm.ring();
  });

  it('lets a sleep end by itself', async () => {
    await new Alarm().sleep(1);
  });
});
