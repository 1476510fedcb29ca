import { isExternalName } from '../../api/core/services/service-questions.ts'
import type { KubeObject } from '../../api/object.ts'
import { type LabelSelector, noLabel } from '../../api/selectors/label-selector.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { Service } from '../../api/types/core-v1.ts'
import { type Owned, ownedFrom } from '../ownership/owned.ts'

/** What controllers of endpoints need to know about a Service. */
export interface ServiceFacts extends Owned {
  /** Selects its Pods. Matches none if others write its endpoints. */
  readonly selector: LabelSelector
}

export function serviceFactsFrom(object: KubeObject): ServiceFacts {
  const service = object as Service
  return { ...ownedFrom(object), selector: selectsBackends(service) ? podSelectorOf(service) : noLabel }
}

/** Whether its endpoints are computed, rather than written by others. */
export function selectsBackends(service: Service): boolean {
  return hasSelector(service) && !isExternalName(service)
}

export function hasSelector({ spec }: Service): boolean {
  return Object.keys(spec.selector ?? {}).length > 0
}

export function podSelectorOf({ spec }: Service): LabelSelector {
  return labelSelectorFrom({ matchLabels: spec.selector ?? {} })
}
