import { type CelEnvironment, type CelVariable, withVariables } from '../../cel/environment.ts'
import { dynType } from '../../cel/type.ts'
import { kubernetesEnvironment } from './environment.ts'

const unknown: CelVariable = { type: dynType }

/** What the match conditions of webhooks and policies may name. An authorizer is not among it yet. */
export const admissionEnvironment: CelEnvironment = withVariables(
  kubernetesEnvironment,
  new Map([
    ['object', unknown],
    ['oldObject', unknown],
    ['request', unknown],
  ]),
)
