import { pages } from 'virtual:manual';
import { searchSections, sectionsOf, type Found } from './search-pages.ts';

const sections = sectionsOf(pages);

/** Returns the sections of the help that fit best, at most `most`. */
export const findHelp = (text: string, most: number): readonly Found[] => searchSections(sections, text).slice(0, most);
