import type { Generation } from '../src/projection/generation.js';
import type { Service } from '../src/service.js';

/** The next generation that the service publishes with another digest. */
export function nextGeneration(service: Service): Promise<Generation> {
  return new Promise((resolve) => {
    const end = service.subscribe(({ generation }) => {
      end();
      resolve(generation);
    });
  });
}
