import type { KubeObject } from '../api/object.ts'
import { type PrintedJson, printedJson } from '../base/json/print.ts'
import { isGeneratedName } from './generated-name.ts'

interface Mutated {
  readonly from: KubeObject
  readonly revision: number
  readonly to: Promise<KubeObject>
}

/**
 * New objects of one content and one writer, which differ only in the few characters that the server makes up for their names. What was found
 * out about one of them holds for all, as long as nothing has changed.
 */
export class AlikeWrites {
  #mutated: Mutated | undefined
  #valid: KubeObject | undefined
  #printed: { readonly spec: unknown; readonly json: PrintedJson } | undefined

  /** What the rules of the cluster make of the object. `revision`: of all that they may depend on. */
  mutated(from: KubeObject, revision: number, mutate: () => Promise<KubeObject>): Promise<KubeObject> {
    const known = this.#mutated
    if (known?.from === from && known.revision === revision) return known.to
    const to = mutate()
    this.#mutated = { from, revision, to }
    return to
  }

  /**
   * Whether one was found to be valid that differs from it in its name alone. All names that the server makes up are as good as
   * another; one that a webhook has given it is not known.
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
