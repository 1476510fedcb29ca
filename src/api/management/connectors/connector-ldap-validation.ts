import { type FieldError, invalidField, requiredField, tooManyField } from '../../field-error.ts'
import type { LdapConnector } from '../../types/management.ts'
import { bundleErrors, isPlainAddress, secretErrors } from './connector-field-errors.ts'

type Users = NonNullable<LdapConnector['users']>
type Groups = NonNullable<LdapConnector['groups']>

const longestText = 2_000
const mostLoginAttributes = 5
const maxGroupDepth = 10
/** A name or a number (OID) of RFC 4512, without options such as `;binary`. */
const attributeForm = /^(?:[A-Za-z][A-Za-z0-9-]{0,63}|\d+(?:\.\d+){1,30})$/

export function ldapErrors(ldap: LdapConnector): readonly FieldError[] {
  const { url = '', users = {}, groups } = ldap
  return [
    ...(url === '' ? [requiredField('spec.ldap.url')] : urlErrors(url)),
    ...bundleErrors('spec.ldap.caBundle', ldap.caBundle),
    ...bindErrors(ldap),
    ...userErrors(users),
    ...(groups === undefined ? [] : groupErrors(groups, ldap)),
  ]
}

function urlErrors(url: string): readonly FieldError[] {
  const isAddress = isPlainAddress(url, ['ldap:', 'ldaps:'])
  const { hostname, pathname } = isAddress ? new URL(url) : { hostname: '', pathname: '' }
  if (hostname !== '' && (pathname === '' || pathname === '/')) return []
  const problem = 'must be ldaps://HOST or ldap://HOST, with a port if needed, and nothing else: see users.baseDN'
  return [invalidField('spec.ldap.url', url, problem)]
}

function bindErrors({ bindDN = '', bindPasswordRef }: LdapConnector): readonly FieldError[] {
  const field = 'spec.ldap.bindPasswordRef'
  const isMissing = bindDN !== '' && bindPasswordRef === undefined
  const isLeft = bindDN === '' && bindPasswordRef !== undefined
  return [
    ...(bindDN === '' ? [] : dnErrors('spec.ldap.bindDN', bindDN)),
    ...(isMissing ? [requiredField(field, 'a name without a password would not be checked by the directory')] : []),
    ...(isLeft ? [requiredField('spec.ldap.bindDN', 'there is a password for it')] : []),
    ...secretErrors(field, bindPasswordRef),
  ]
}

function userErrors(users: Users): readonly FieldError[] {
  const at = (name: string) => `spec.ldap.users.${name}`
  const { baseDN = '', loginAttributes = [] } = users
  return [
    ...(baseDN === '' ? [requiredField(at('baseDN'))] : dnErrors(at('baseDN'), baseDN)),
    ...filterErrors(at('filter'), users.filter),
    ...(loginAttributes.length > mostLoginAttributes
      ? [tooManyField(at('loginAttributes'), loginAttributes.length, mostLoginAttributes)]
      : loginAttributes.flatMap((name, index) => attributeErrors(at(`loginAttributes[${index}]`), name))),
    ...(['idAttribute', 'usernameAttribute', 'displayNameAttribute', 'emailAttribute'] as const).flatMap((name) =>
      users[name] ? attributeErrors(at(name), users[name]) : [],
    ),
  ]
}

function groupErrors(groups: Groups, { preset }: LdapConnector): readonly FieldError[] {
  const at = (name: string) => `spec.ldap.groups.${name}`
  const { method, baseDN = '', depth = maxGroupDepth } = groups
  const problem = 'only Active Directory knows this rule: use search or memberOf'
  return [
    ...(method === 'inChain' && preset !== 'activeDirectory' ? [invalidField(at('method'), method, problem)] : []),
    ...(baseDN === '' && method !== 'memberOf' ? [requiredField(at('baseDN'))] : []),
    ...(baseDN === '' ? [] : dnErrors(at('baseDN'), baseDN)),
    ...filterErrors(at('filter'), groups.filter),
    ...(['nameAttribute', 'memberAttribute', 'userAttribute'] as const).flatMap((name) =>
      groups[name] ? attributeErrors(at(name), groups[name]) : [],
    ),
    ...(depth < 1 || depth > maxGroupDepth
      ? [invalidField(at('depth'), depth, `must be between 1 and ${maxGroupDepth}`)]
      : []),
  ]
}

function dnErrors(field: string, dn: string): readonly FieldError[] {
  if (dn.length <= longestText && /^[^=,]+=/.test(dn)) return []
  return [invalidField(field, dn, 'must be the name of an entry, such as ou=people,dc=example,dc=com')]
}

function attributeErrors(field: string, name: string): readonly FieldError[] {
  return attributeForm.test(name) ? [] : [invalidField(field, name, 'must be the name of an attribute, such as uid')]
}

function filterErrors(field: string, filter = ''): readonly FieldError[] {
  if (filter === '' || (filter.length <= longestText && isEnclosed(filter))) return []
  return [invalidField(field, filter, 'must be a filter in parentheses that match, such as (objectClass=person)')]
}

/** Parentheses within values are written as `\28` and `\29`, so every parenthesis counts. */
function isEnclosed(filter: string): boolean {
  let depth = 0
  for (let at = 0; at < filter.length; at += 1) {
    if (filter[at] === '(') depth += 1
    if (filter[at] === ')') depth -= 1
    const isLast = at === filter.length - 1
    if (depth < 0 || (depth === 0) !== isLast) return false
  }
  return true
}
