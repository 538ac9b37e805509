export const exportFormats = ['jsonld', 'turtle', 'trig', 'nquads'] as const;

export type ExportFormat = (typeof exportFormats)[number];
