import type { LimitRange, LimitRangeItem } from '../../types/core-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { createdAtColumn, nameColumn } from '../columns.ts'
import { validateLimitRange } from './limit-range-validation.ts'

export const limitRange = builtinKind<LimitRange>({
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  allowsCreateOnUpdate: true,
  hasNullRows: true,
  message: 'k8s.io.api.core.v1.LimitRange',
  columns: [nameColumn, createdAtColumn],
  strategy: {
    defaults: (object) => ({
      ...object,
      spec: { ...object.spec, limits: object.spec.limits?.map(withDefaults) ?? null },
    }),
    prepareForCreate: named,
    validate: validateLimitRange,
  },
})

/** One without a name is called by its uid. */
function named(object: LimitRange): LimitRange {
  const { name = '', uid } = object.metadata
  return name !== '' || uid === undefined ? object : { ...object, metadata: { ...object.metadata, name: uid } }
}

/** The default limit of a container defaults to the maximum, and its default request to that limit. */
function withDefaults(item: LimitRangeItem): LimitRangeItem {
  if (item.type !== 'Container') return item
  const limits = { ...item.max, ...item.default }
  const requests = { ...item.min, ...limits, ...item.defaultRequest }
  return {
    ...item,
    ...(Object.keys(limits).length === 0 ? {} : { default: limits }),
    ...(Object.keys(requests).length === 0 ? {} : { defaultRequest: requests }),
  }
}
