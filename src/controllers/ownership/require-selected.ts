import { badRequest } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { type LabelSelectorObject, labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'

/**
 * Throws if the owner would let go at once of what is made for it: its selector names a label that a controller sets. Made
 * again at each look, there would be no end of them.
 */
export function requireSelected(selector: LabelSelectorObject | undefined, made: KubeObject): void {
  if (labelSelectorFrom(selector).matches(made.metadata.labels ?? {})) return
  throw badRequest(
    `spec.selector does not select the ${made.kind} that is made for it: leave out labels that a controller sets`,
  )
}
