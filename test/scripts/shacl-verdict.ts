import type { DatasetCore, Quad } from '@rdfjs/types';
import { Parser, Store } from 'n3';
import SHACLValidator from 'rdf-validate-shacl';
import { renderShapes } from '../../scripts/shacl-shapes.js';

const validator = new SHACLValidator(datasetOf(new Parser().parse(renderShapes())));

/** Whether every target of the shapes in these quads conforms. */
export async function conforms(quads: readonly Quad[]): Promise<boolean> {
  return (await validator.validate(datasetOf(quads))).conforms;
}

/** n3's store is one (RDF/JS Dataset 1.0, DatasetCore), which its types here do not say. */
function datasetOf(quads: readonly Quad[]): DatasetCore {
  return new Store(quads) as unknown as DatasetCore;
}
