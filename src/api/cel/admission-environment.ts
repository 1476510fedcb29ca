import { type CelEnvironment, type CelVariable, celEnvironment, withVariables } from '../../cel/environment.ts'
import { dynType } from '../../cel/type.ts'
import { authorizerType, kubernetesAuthorizer } from './authorizer.ts'
import { kubernetesLibraries } from './environment.ts'

const unknown: CelVariable = { type: dynType }
const base = celEnvironment([...kubernetesLibraries, kubernetesAuthorizer])

/** What the match conditions of webhooks may name. */
export const admissionEnvironment: CelEnvironment = withVariables(
  base,
  new Map([
    ['object', unknown],
    ['oldObject', unknown],
    ['request', unknown],
    ['authorizer', { type: authorizerType }],
  ]),
)

/** What the expressions of policies may name. */
export const policyEnvironment: CelEnvironment = withVariables(
  admissionEnvironment,
  new Map([
    ['params', unknown],
    ['namespaceObject', unknown],
    ['variables', unknown],
  ]),
)

/** For the expressions of one policy or webhook. */
export const mostAdmissionSteps = 20_000
