import fc from 'fast-check';
import { drawnSeed } from './drawn-seed.js';

fc.configureGlobal({ seed: drawnSeed });
