import { allErrors, type FieldError, invalidField, requiredField } from '../../field-error.ts'
import type { PodDNSConfig, PodSpec } from '../../types/core-v1.ts'
import { utf8Length } from '../../utf8-length.ts'
import { checkIP, checkSubdomain } from '../field-checks.ts'

/** The limits of Linux resolvers. */
const mostNameservers = 3
const mostSearches = 32
const mostSearchCharacters = 2048

/** A pod that does not use the cluster's name servers must name others. */
export function validateDns(field: string, { dnsPolicy, dnsConfig }: PodSpec): readonly FieldError[] {
  const setting = '`dnsPolicy` is None'
  if (dnsConfig === undefined) {
    return dnsPolicy === 'None' ? [requiredField(field, `must provide \`dnsConfig\` when ${setting}`)] : []
  }
  if (dnsPolicy === 'None' && (dnsConfig.nameservers ?? []).length === 0) {
    return [requiredField(`${field}.nameservers`, `must provide at least one DNS nameserver when ${setting}`)]
  }
  return validateConfig(field, dnsConfig)
}

function validateConfig(field: string, { nameservers = [], searches = [], options = [] }: PodDNSConfig) {
  const tooMany = (member: string, values: readonly string[], most: number, what: string) =>
    invalidField(`${field}.${member}`, values, `must not have more than ${most} ${what}`)
  return allErrors(
    nameservers.length > mostNameservers ? [tooMany('nameservers', nameservers, mostNameservers, 'nameservers')] : [],
    nameservers.flatMap((address, index) => checkIP(`${field}.nameservers[${index}]`, address)),
    searches.length > mostSearches ? [tooMany('searches', searches, mostSearches, 'search paths')] : [],
    utf8Length(searches.join(' ')) > mostSearchCharacters
      ? [tooMany('searches', searches, mostSearchCharacters, 'characters (including spaces) in the search list')]
      : [],
    searches.flatMap((domain, index) => checkSubdomain(`${field}.searches[${index}]`, domain.replace(/\.$/, ''))),
    options.flatMap(({ name = '' }, index) =>
      name === '' ? [requiredField(`${field}.options[${index}]`, 'must not be empty')] : [],
    ),
  )
}
