import { badRequest } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { type LabelSelectorObject, labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'

/**
 * Throws if the owner would immediately release what is created for it, because its selector names a label that a
 * controller sets. Each reconciliation would create another one, without end.
 */
export function requireSelected(selector: LabelSelectorObject | undefined, made: KubeObject): void {
  if (labelSelectorFrom(selector).matches(made.metadata.labels ?? {})) return
  throw badRequest(
    `spec.selector does not select the ${made.kind} that is made for it: leave out labels that a controller sets`,
  )
}
