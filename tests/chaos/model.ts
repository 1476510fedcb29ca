import type { Thing } from '../sync/support/objects.ts'

/** The four kinds of the test, as they appear in paths. */
export type Plural = 'endpoints' | 'services' | 'configmaps' | 'secrets'

export interface Place {
  readonly plural: Plural
  readonly namespace: string
  readonly name: string
}

/** The value of one label; `undefined` if the label is absent. */
export type Value = string | undefined

/**
 * The changes by users of both worlds to one object, and so its required final state. A label that both worlds write
 * may end with one of several values, because the winner depends on when the syncer looked; all others are certain.
 */
export interface ModelObject {
  readonly place: Place
  readonly uid: string
  readonly content: string
  readonly team: Value
  readonly labels: ReadonlyMap<string, readonly Value[]>
  /** The host's last values of labels that both worlds write. */
  readonly hostLabels: ReadonlyMap<string, Value>
}

/** An object on the host that is not our copy, exactly as its owner left it. */
export interface ForeignObject {
  readonly plural: Plural
  readonly name: string
  readonly thing: Thing
}

/** The required state of both worlds once nothing happens anymore. */
export class Model {
  readonly #objects = new Map<string, ModelObject>()
  readonly #foreign = new Map<string, ForeignObject>()

  objects(): readonly ModelObject[] {
    return [...this.#objects.values()]
  }

  foreign(): readonly ForeignObject[] {
    return [...this.#foreign.values()]
  }

  find(place: Place): ModelObject | undefined {
    return this.#objects.get(keyOf(place))
  }

  created(object: ModelObject): void {
    this.#objects.set(keyOf(object.place), object)
  }

  deleted(place: Place): void {
    this.#objects.delete(keyOf(place))
  }

  contentSet(place: Place, content: string): void {
    this.#change(place, (object) => ({ ...object, content }))
  }

  teamSet(place: Place, team: Value): void {
    this.#change(place, (object) => ({ ...object, team }))
  }

  /** This value wins over whatever the host did to the label before. */
  virtualLabelSet(place: Place, label: string, value: string): void {
    this.#setLabel(place, label, [value])
  }

  /** If the syncer has never seen the label on the virtual side, nothing was removed, and the host's value stays. */
  virtualLabelRemoved(place: Place, label: string): void {
    const host = this.find(place)?.hostLabels
    this.#setLabel(place, label, host?.has(label) ? [undefined, host.get(label)] : [undefined])
  }

  /** Only the host writes labels of this kind. */
  hostLabelSet(place: Place, label: string, value: Value): void {
    this.#setLabel(place, label, [value])
  }

  /** If the virtual side had changed it too, unseen by the syncer, the virtual side's value stays. */
  contestedLabelSet(place: Place, label: string, value: Value): void {
    const before = this.find(place)?.labels.get(label) ?? [undefined]
    this.#setLabel(place, label, [...before, value])
    this.#change(place, (object) => ({ ...object, hostLabels: new Map([...object.hostLabels, [label, value]]) }))
  }

  /** The copy is lost, together with changes of the host that the virtual side does not show yet. */
  copyLost(place: Place, shown: Readonly<Record<string, string>>): void {
    const labels = this.find(place)?.labels ?? new Map<string, readonly Value[]>()
    for (const [label, values] of labels) {
      if (!values.includes(shown[label])) this.#setLabel(place, label, [...values, shown[label]])
    }
  }

  foreignSet(object: ForeignObject): void {
    this.#foreign.set(`${object.plural}/${object.name}`, object)
  }

  foreignGone(plural: Plural, name: string): void {
    this.#foreign.delete(`${plural}/${name}`)
  }

  foreignAt(plural: Plural, name: string): ForeignObject | undefined {
    return this.#foreign.get(`${plural}/${name}`)
  }

  #setLabel(place: Place, label: string, values: readonly Value[]): void {
    this.#change(place, (object) => ({ ...object, labels: new Map([...object.labels, [label, values]]) }))
  }

  #change(place: Place, change: (object: ModelObject) => ModelObject): void {
    const object = this.find(place)
    if (object !== undefined) this.#objects.set(keyOf(place), change(object))
  }
}

export function keyOf({ plural, namespace, name }: Place): string {
  return `${plural}/${namespace}/${name}`
}
