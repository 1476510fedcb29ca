import type { KubeObject } from '../api/object.ts'
import { type PrintedJson, printedJson } from '../base/json/print.ts'
import { isGeneratedName } from './generated-name.ts'

interface Mutated {
  readonly from: KubeObject
  readonly revision: number
  readonly to: Promise<KubeObject>
}

/**
 * New objects with the same content and writer, which differ only in the generated suffix of their names. Results for
 * one of them hold for all, as long as nothing has changed.
 */
export class AlikeWrites {
  #mutated: Mutated | undefined
  #valid: KubeObject | undefined
  #printed: { readonly spec: unknown; readonly json: PrintedJson } | undefined

  /** The object after the rules of the cluster. `revision` covers everything on which the rules may depend. */
  mutated(from: KubeObject, revision: number, mutate: () => Promise<KubeObject>): Promise<KubeObject> {
    const known = this.#mutated
    if (known?.from === from && known.revision === revision) return known.to
    const to = mutate()
    this.#mutated = { from, revision, to }
    return to
  }

  /**
   * Whether an object was found valid that differs only in its name. All names that the server generates are equally
   * valid; a name set by a webhook is not known to be.
   */
  isKnownToBeValid({ spec, metadata }: KubeObject): boolean {
    const valid = this.#valid
    return (
      valid !== undefined &&
      spec !== undefined &&
      spec === valid.spec &&
      metadata.generateName === valid.metadata.generateName &&
      isGeneratedName(metadata.name ?? '', metadata.generateName ?? '') &&
      metadata.labels === valid.metadata.labels &&
      metadata.annotations === valid.metadata.annotations &&
      metadata.ownerReferences === valid.metadata.ownerReferences &&
      metadata.finalizers === valid.metadata.finalizers
    )
  }

  noteValid(object: KubeObject): void {
    this.#valid = object
  }

  printedSpec(spec: unknown): PrintedJson {
    const known = this.#printed
    if (known !== undefined && known.spec === spec) return known.json
    const json = printedJson(spec)
    this.#printed = { spec, json }
    return json
  }
}
