import { type FieldError, invalidField, requiredField, tooManyField } from '../../field-error.ts'
import type { GithubConnector } from '../../types/management.ts'
import { bundleErrors, isPlainHttps, redirectErrors, secretErrors } from './connector-field-errors.ts'

const mostOrganizations = 50
const organizationForm = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$/

export function githubErrors(github: GithubConnector): readonly FieldError[] {
  const { url = '', clientId = '', clientSecretRef, organizations = [] } = github
  const problem = 'must be an https address without path, user, query or fragment'
  return [
    ...(url === '' || (isPlainHttps(url) && new URL(url).pathname === '/')
      ? []
      : [invalidField('spec.github.url', url, problem)]),
    ...(clientId === '' ? [requiredField('spec.github.clientId')] : []),
    ...(clientSecretRef === undefined ? [requiredField('spec.github.clientSecretRef')] : []),
    ...secretErrors('spec.github.clientSecretRef', clientSecretRef),
    ...redirectErrors('spec.github.redirectUri', github.redirectUri),
    ...bundleErrors('spec.github.caBundle', github.caBundle),
    ...organizationErrors(organizations),
  ]
}

/** Without one, every GitHub account would be admitted. */
function organizationErrors(organizations: readonly string[]): readonly FieldError[] {
  const field = 'spec.github.organizations'
  if (organizations.length === 0) return [requiredField(field, 'name those whose members get in')]
  if (organizations.length > mostOrganizations) return [tooManyField(field, organizations.length, mostOrganizations)]
  return organizations.flatMap((name, index) =>
    organizationForm.test(name)
      ? []
      : [invalidField(`${field}[${index}]`, name, 'must be the name of an organization')],
  )
}
