import type { ExtraRoute } from '../contract.ts'
import { jsonResponse } from '../responses/responses.ts'

const emptyList = {
  kind: 'CustomResourceDefinitionList',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: {},
  items: [],
}

/**
 * Before kubectl reports an unknown kind, it searches the custom kinds; if it cannot list them, it reports that
 * instead.
 */
export const noCustomDefinitions: ExtraRoute = ({ info }) => {
  if (info.form !== 'resource' || info.verb !== 'list' || info.resource !== 'customresourcedefinitions')
    return undefined
  if (info.group !== 'apiextensions.k8s.io' || info.version !== 'v1' || info.namespace !== '') return undefined
  return () => jsonResponse(200, emptyList)
}
