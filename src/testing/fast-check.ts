import fc from 'fast-check';
import { chooseSeed } from './seeded-random.ts';

// One seed for every property and every random text, so that a run repeats.
fc.configureGlobal({ seed: chooseSeed() });

export { fc };
