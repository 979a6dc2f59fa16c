// A stand-in for '@axe-core/playwright' in a test of the page: the process of the tests gives axe to the page, and asks it.
import { outside } from './playwright.ts';

export class AxeBuilder {
  #options = {};
  setLegacyMode(): this {
    return this;
  }
  options(options: object): this {
    this.#options = options;
    return this;
  }
  analyze() {
    return outside.axe(this.#options);
  }
}
