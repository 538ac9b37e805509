import { isDeepStrictEqual } from 'node:util';
import type { Quad } from '@rdfjs/types';
import { type EngineCommand, engineCommands } from '../schemas/engine.js';
import type { CheckedMember } from './check/rule.js';
import type { Degradation } from './degradation.js';
import { GenerationHolder } from './generation-holder.js';
import type { ConfigOverrides, InstanceConfig } from './instance/config.js';
import { type FollowerOptions, InstanceFollower, type SharedParts } from './instance-follower.js';
import { ingestSettings } from './instance-graph.js';
import type { Generation } from './projection/generation.js';
import { DocumentLabeller, documentIn, type ProjectedParts } from './projection/labelled-documents.js';
import type { SkillNode, ToolNode } from './projection/node.js';
import type { ServiceOptions } from './service.js';
import type { ExportedInstance } from './store/export-messages.js';
import type { WantedInstance } from './store/query/query-messages.js';
import type { RecordStore } from './store/record-store.js';
import { ingestKey } from './version.js';

/** Where a member of a service is, and how its documents are named. */
export interface MemberPlace {
  /** Absolute; of an included instance without links, so that two paths to one are known as such. */
  readonly root: string;
  /** Path from the root instance, or the name of one that comes with toolgraph; '' for the root instance itself. */
  readonly label: string;
  /** Name of the folder for its state in that of the root instance. Absent: it has one of its own. */
  readonly stateIn?: string;
}

export interface MemberListener {
  /** It has a new generation, one with the digest of the last one included. What this throws, the follower tries again. */
  published(member: MemberInstance): void;
  /** It has no generation and will have none. */
  failed(member: MemberInstance, error: unknown): void;
  /** The host may answer it differently now. */
  hostHinted(): void;
}

/** One of the instances of a service, followed by itself; what it gives is named as from the root instance. */
export class MemberInstance {
  readonly place: MemberPlace;
  readonly #follower: InstanceFollower;
  readonly #holder: ListenedHolder;
  readonly #labeller: DocumentLabeller;
  #overrides: ConfigOverrides | undefined;
  #parts: ProjectedParts | undefined;

  /**
   * `former` is what goes on to be served until there is a generation of this one. Throws when the state of the instance cannot be opened.
   */
  constructor(
    place: MemberPlace,
    options: ServiceOptions & SharedParts & Pick<FollowerOptions, 'rootOf'>,
    overrides: ConfigOverrides,
    listener: MemberListener,
    former?: ProjectedParts,
    openState?: () => string,
  ) {
    this.place = place;
    this.#overrides = overrides;
    this.#parts = former;
    this.#labeller = new DocumentLabeller(place.label);
    this.#holder = new ListenedHolder((generation) => {
      this.#parts = place.label === '' ? generation : this.#labeller.label(generation);
      listener.published(this);
    });
    const words = (notice: string) => (place.label === '' ? notice : `${place.label}: ${notice}`);
    this.#follower = new InstanceFollower(
      {
        ...options,
        root: place.root,
        label: place.label,
        overrides,
        openState,
        onNotice: (notice) => options.onNotice?.(words(notice)),
        onHostHint: () => listener.hostHinted(),
      },
      this.#holder,
      (error) => listener.failed(this, error),
    );
  }

  /** What outlives its derived store; to be used until `close`. */
  get records(): RecordStore {
    return this.#follower.records;
  }

  get config(): InstanceConfig {
    return this.#follower.config;
  }

  /** The container engine that answers, where anything is to run in one. */
  get engine(): EngineCommand | undefined {
    return engineCommands.find((command) => this.#follower.host?.engines.get(command) === true);
  }

  get generation(): Generation | undefined {
    return this.#holder.current;
  }

  /** What is served of it, its documents named as from the root instance. */
  get parts(): ProjectedParts | undefined {
    return this.#parts;
  }

  get tools(): ToolNode[] {
    const { label } = this.place;
    return this.#follower.graph.tools.map((node) => {
      const alsoIn = node.alsoIn?.map((path) => (label === '' ? path : documentIn(label, path)));
      return this.#named(alsoIn === undefined ? node : { ...node, alsoIn });
    });
  }

  get skills(): SkillNode[] {
    return this.#follower.graph.skills.map((node) => this.#named(node));
  }

  /** As `InstanceFollower.examine`, with documents named as from the root instance. */
  async examine(): Promise<CheckedMember> {
    const examined = await this.#follower.examine();
    const { label } = this.place;
    if (label === '') return examined;
    const named = <T extends { readonly document: string }>(one: T): T => this.#named(one);
    return {
      ...examined,
      types: new Map(Array.from(examined.types, ([iri, type]) => [iri, named(type)])),
      unclaimed: examined.unclaimed.map(named),
      foreign: examined.foreign.map(named),
      proseAmongSkills: examined.proseAmongSkills.map((path) => documentIn(label, path)),
      unreadFiles: examined.unreadFiles.map((path) => documentIn(label, path)),
    };
  }

  get documents(): number {
    return this.#follower.graph.documents;
  }

  graphIris(all: boolean): string[] {
    return this.#follower.graph.iris(this.config.base, all);
  }

  graph(iri: string): Quad[] {
    return this.#follower.graph.quads(iri);
  }

  /** As `InstanceFollower.isInStep`. */
  get isInStep(): boolean {
    return this.generation !== undefined && this.#follower.isInStep;
  }

  /** What a query is to see of it, in step or not; its documents as `DocumentMirror.takeHeld`. */
  takeWanted(all: boolean): WantedInstance {
    return { ...this.#follower.graph.takeWanted(all), base: this.config.base, label: this.place.label };
  }

  /** The documents that are held, in step or not. `key` tells what, beside their bytes, decides what they state. */
  held(): ExportedInstance & { readonly key: string } {
    return { ...this.#follower.graph.held(), key: ingestKey(ingestSettings(this.config)) };
  }

  /** As `InstanceFollower.degradations`; of an included instance with its path from the root instance. */
  get degradations(): readonly Degradation[] {
    const { degradations } = this.#follower;
    const { label } = this.place;
    return label === '' ? degradations : degradations.map((one) => ({ ...one, message: `${label}: ${one.message}` }));
  }

  get projectionKey(): string {
    return this.#follower.projectionKey;
  }

  /** As `InstanceFollower.history`. */
  get history(): InstanceFollower['history'] {
    return this.#follower.history;
  }

  lookAtHost(): Promise<void> {
    return this.#follower.lookAtHost();
  }

  loadModules(): Promise<void> {
    return this.#follower.loadModules();
  }

  lookAgain(): Promise<void> {
    return this.#follower.lookAgain();
  }

  /** Settles when what it gives is what these overrides say; undefined when it is already. After a failure the next call tries again. */
  override(overrides: ConfigOverrides): Promise<void> | undefined {
    if (isDeepStrictEqual(overrides, this.#overrides)) return undefined;
    this.#overrides = overrides;
    return this.#follower.override(overrides).catch((error: unknown) => {
      this.#overrides = undefined;
      throw error;
    });
  }

  close(): Promise<void> {
    return this.#follower.close();
  }

  #named<T extends { readonly document: string }>(node: T): T {
    const { label } = this.place;
    return label === '' ? node : { ...node, document: documentIn(label, node.document), instance: label };
  }
}

/** Also tells of a generation that replaces one with the same digest: places and skills may be others. */
class ListenedHolder extends GenerationHolder {
  readonly #listener: (generation: Generation) => void;

  constructor(listener: (generation: Generation) => void) {
    super();
    this.#listener = listener;
  }

  override publish(generation: Generation): void {
    super.publish(generation);
    this.#listener(generation);
  }
}
