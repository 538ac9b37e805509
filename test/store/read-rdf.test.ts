import { describe, expect, it } from 'vitest';
import { type RdfFormat, readRdf } from '../../src/store/read-rdf.js';

const read = (text: string, format: RdfFormat = 'turtle') => readRdf(text, format, 64);

/** Subject, predicate, object and graph of each quad. */
async function terms(text: string, format: RdfFormat = 'turtle'): Promise<string[][]> {
  const result = await read(text, format);
  if ('message' in result) throw new Error(result.message);
  return result.quads.map((quad) => [quad.subject, quad.predicate, quad.object, quad.graph].map(({ value }) => value));
}

describe('readRdf', () => {
  it.each<[RdfFormat, string, string]>([
    ['turtle', '@prefix u: <urn:> .\nu:a u:b "c" .', ''],
    ['turtle', '\ufeffPREFIX u: <urn:>\r\nu:a u:b "c" .\r\n', ''],
    ['turtle', '@base <urn:> .\n<a> <b> "c" .', ''],
    ['trig', 'BASE <urn:>\nGRAPH <g> { <a> <b> "c" }', 'urn:g'],
    ['ntriples', '<urn:a> <urn:b> "c" .', ''],
    ['nquads', '<urn:a> <urn:b> "c" <urn:g> .', 'urn:g'],
  ])('gives the quads of %s: %j', async (format, text, graph) => {
    expect(await terms(text, format)).toEqual([['urn:a', 'urn:b', 'c', graph]]);
  });

  it('reads the IRIs, literals, lists and nodes without IRI of Turtle', async () => {
    const text = '<urn:a> a <urn:é\\u0041> ; <urn:b> 1, 1.5, true, "x"@EN, """y\n"z" """, [ <urn:c> ( 1 ) ] .';
    const result = await read(text);
    const objects = 'quads' in result ? result.quads.map(({ object }) => object) : [];
    expect(objects.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['urn:éA', '1', '1.5', 'true', 'x', 'y\n"z" ']),
    );
    expect(objects.find(({ value }) => value === 'x')).toMatchObject({ language: 'en' });
  });

  it.each<[RdfFormat, string, number, number, string]>([
    ['turtle', '<a> <urn:b> 1 .', 1, 1, 'the IRI <a> is relative; write an absolute IRI'],
    ['turtle', '<urn:a> <urn:b>\n  </c> .', 2, 3, 'the IRI </c> is relative'],
    ['turtle', '<urn:a> <urn:b> "x"^^<#t> .', 1, 22, 'the IRI <#t> is relative'],
    ['turtle', '@prefix p: <x#> .', 1, 12, 'the IRI <x#> is relative'],
    ['turtle', '@base <x> .\n<y> <urn:b> 1 .', 1, 7, 'the IRI <x> is relative'],
    ['nquads', '<> <urn:b> <urn:c> .', 1, 1, 'the IRI <> is relative'],
    ['turtle', '<urn:a> <urn:b> "x"@en--ltr .', 1, 23, 'the direction of a text is RDF 1.2'],
    ['turtle', '<urn:a> <urn:b> <<( <urn:a> <urn:b> 1 )>> .', 1, 17, 'a triple term is RDF 1.2'],
    ['nquads', '<urn:a> <urn:b> <<( <urn:a> <urn:b> <urn:c> )>> .', 1, 17, 'a triple term is RDF 1.2'],
    ['trig', '<< <urn:a> <urn:b> 1 >> <urn:b> 1 .', 1, 1, 'a quoted triple is RDF 1.2'],
    ['turtle', '<urn:a> <urn:b> 1 {| <urn:c> 1 |} .', 1, 19, 'an annotation is RDF 1.2'],
    ['turtle', '<urn:a> <urn:b> 1 ~ <urn:c> .', 1, 19, 'a reifier is RDF 1.2'],
    ['turtle', '\nVERSION "1.2"', 2, 1, 'a version is RDF 1.2'],
    ['turtle', '@version "1.1" .', 1, 1, 'a version is RDF 1.2'],
  ])('refuses what n3 would take, with its place: %s %j', async (format, text, line, column, message) => {
    expect(await read(text, format)).toEqual({ line, column, message: expect.stringContaining(message) });
  });

  it.each<[RdfFormat, string, number, number, string]>([
    ['turtle', '<urn:a> <urn:b>', 1, 16, 'the Turtle ends too early; complete it, or remove the file'],
    ['trig', '<urn:g> {\n<urn:a> <urn:b> 1', 2, 18, 'the TriG ends too early'],
    ['turtle', '<urn:a> <urn:b> 1\n<urn:c> <urn:d> 2 .', 2, 1, 'unexpected "<urn:c>" where a "." was expected'],
    ['turtle', '<urn:a> <urn:b>\r\n\r\n  "x\r\n" .', 3, 3, 'unexpected "\\"x"; correct the Turtle here'],
    ['turtle', '<urn:a> <urn:b> """x\ny""" . z', 2, 8, 'unexpected "z"'],
    ['turtle', '<urn:a>\n  ex:b 1 .', 2, 3, 'the prefix "ex:" is not defined; add "@prefix ex: <…> ." before it'],
    ['turtle', '<urn:a> _:b 1 .', 1, 9, 'unexpected "_:b"'],
    ['turtle', '<urn:g> { <urn:a> <urn:b> 1 }', 1, 9, 'unexpected "{"; correct the Turtle here'],
    ['trig', '{ <urn:a> <urn:b> 1 } => {} .', 1, 23, 'unexpected "=>"'],
    ['turtle', '@forAll <urn:x> .', 1, 1, 'unexpected "@forAll"'],
    ['turtle', '<urn:a> <urn:b> "\\ud800" .', 1, 17, 'unexpected "\\"\\\\ud800\\""'],
    ['turtle', '<urn:a b> <urn:b> 1 .', 1, 1, 'unexpected "<urn:a"'],
    ['ntriples', '<urn:a> <urn:b> <urn:c> <urn:g> .', 1, 25, 'unexpected "<urn:g>" where a "." was expected'],
    ['ntriples', '<urn:a> a <urn:c> .', 1, 9, 'unexpected "a"; correct the N-Triples here'],
    ['ntriples', '<urn:a> <urn:b> 1 .', 1, 17, 'unexpected "1"'],
    ['nquads', '@prefix u: <urn:> .', 1, 1, 'unexpected "@prefix"; correct the N-Quads here'],
    ['nquads', '<urn:a> <urn:b> "a", "b" .', 1, 20, 'unexpected ","'],
  ])('tells the place of a syntax error in our own words: %s %j', async (format, text, line, column, message) => {
    expect(await read(text, format)).toEqual({ line, column, message: expect.stringContaining(message) });
  });

  it('shows a part of what is wrong, however long that is', async () => {
    const result = await read(`<urn:a> <urn:b> ${'x'.repeat(1_000_000)}`);
    expect(result).toMatchObject({ line: 1, column: 17 });
    expect('message' in result ? result.message.length : 0).toBeLessThan(120);
  });

  it.each(['<urn:a> <urn:b> [ <urn:c> ', '(', '<urn:a> { '])('refuses a megabyte of %j', async (opening) => {
    const result = await read(opening.repeat(1_000_000 / opening.length), 'trig');
    expect(result).toMatchObject({ line: 1, message: expect.stringMatching(/nested deeper than 64|unexpected/) });
  });

  it('nests as deeply as the limit says, and no deeper', async () => {
    const nested = (depth: number) => `<urn:a> <urn:b> ${'( '.repeat(depth)}${') '.repeat(depth)} .`;
    expect(await read(nested(64))).toHaveProperty('quads');
    expect(await read(nested(65))).toMatchObject({ column: 145, message: expect.stringContaining('64 levels') });
  });

  it('ends at a number of words and signs', async () => {
    const result = await read(`<urn:a> <urn:b> ${'1,'.repeat(300_000)}`);
    expect(result).toMatchObject({ line: 1, message: expect.stringContaining('split the document') });
  });
});
