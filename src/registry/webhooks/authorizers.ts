import type { UserInfo } from '../../api/access.ts'
import type { CelVariables } from '../../api/cel/allowance.ts'
import {
  type AskAuthorizer,
  type AuthorizerQuestion,
  authorizerValue,
  resourceCheckValue,
} from '../../api/cel/authorizer.ts'
import type { AdmissionAttributes, AskingRequest } from './contract.ts'

/** What expressions may ask about the rights of the caller. */
export function authorizersOf(attributes: AdmissionAttributes, request: AskingRequest): CelVariables {
  const ask = askFor(request)
  const { namespace, name, subresource, sent } = attributes
  const { group, resource } = sent.resource
  const about = { group, resource, subresource, namespace, name }
  return { authorizer: authorizerValue(ask), 'authorizer.requestResource': resourceCheckValue(about, ask) }
}

/** Answers synchronously or not at all: an expression cannot wait. */
function askFor({ authorize, user }: AskingRequest): AskAuthorizer {
  return (question) => {
    const asked = question.serviceAccount === '' ? user : accountOf(question)
    if (question.path !== '') return { isAllowed: false, reason: 'paths cannot be asked about' }
    const { verb, group, resource, subresource, namespace, name } = question
    const decision = authorize({ user: asked, verb, group, version: '*', resource, subresource, namespace, name })
    if (decision instanceof Promise) return { isAllowed: false, reason: 'it takes too long to find out' }
    return { isAllowed: decision.verdict === 'allow', reason: decision.reason ?? '' }
  }
}

function accountOf({ serviceAccount }: AuthorizerQuestion): UserInfo {
  const [namespace = ''] = serviceAccount.split(':')
  return {
    name: `system:serviceaccount:${serviceAccount}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  }
}
