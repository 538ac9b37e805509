import type { Generation } from '../../projection/generation.js';
import { visible } from '../../visible.js';
import type { Cell } from './columns.js';
import type { Style } from './style.js';

/** The rows of the table of views: as those of tools, with the form of the query for the arm. */
export function viewRows({ views }: Generation, { colors }: Style): Cell[][] {
  return Array.from(views.values(), ({ id, form, tier, title, description, lastGood }) => [
    { text: visible(id), paint: lastGood === true ? colors.yellow : colors.green },
    { text: form },
    { text: lastGood === true ? `${tier}, last good` : tier, paint: colors.dim },
    { text: visible(`${title} - ${description}`) },
  ]);
}

export function viewOmissionRows({ viewOmissions }: Generation, { colors }: Style): Cell[][] {
  return viewOmissions.map(({ id, code, reason }) => [
    { text: visible(`view ${id}`) },
    { text: code, paint: colors.yellow },
    { text: visible(reason) },
  ]);
}
