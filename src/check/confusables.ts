/** Cyrillic and Greek letters that look like a Latin one (UTS 39, confusables.txt), each beside it. */
const pairs =
  'аa сc ԁd еe һh іi јj ӏl оo рp ԛq ѕs уy хx ѵv ԝw АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX ԜW УY кk тt мm вb нh ' +
  'αa βb εe ηn ιi κk νv οo ρp τt υu χx γy ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϲc ϳj';

const latinOf: ReadonlyMap<string, string> = new Map(
  pairs.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
);

const mixedWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+/gu;

/** Letters of Cyrillic and Greek within a word that has Latin ones too become what they look like; other words stay. */
export function foldConfusables(text: string): string {
  return text.replace(mixedWord, (word) =>
    /\p{Script=Latin}/u.test(word) ? [...word].map((letter) => latinOf.get(letter) ?? letter).join('') : word,
  );
}
