import fs from 'node:fs';
import { register } from 'node:module';

if (!('globSync' in fs)) register('./resolve-fs.js', import.meta.url);
