import { expect, it } from 'vitest'
import { validateSignerName } from './signer-name.ts'

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

it.each([
  ['example.com/signer.v2', []],
  ['', ['Required value']],
  ['x', [`Invalid value: "x": must be a fully qualified domain and path of the form 'example.com/signer-name'`]],
  [
    'a.b/c/d',
    [`Invalid value: "a.b/c/d": must be a fully qualified domain and path of the form 'example.com/signer-name'`],
  ],
  [
    '/abs',
    [
      `Invalid value: "": validating label "": ${label}`,
      'Invalid value: "": should be a domain with at least two segments separated by dots',
    ],
  ],
  ['a.B/c', [`Invalid value: "a.B": validating label "B": ${label}`]],
  ['a/c', ['Invalid value: "a": should be a domain with at least two segments separated by dots']],
  ['a.b/C', [expect.stringContaining('Invalid value: "C": validating label "C": a lowercase RFC 1123 subdomain must')]],
  ['kubernetes.io/legacy-unknown', [expect.stringContaining('the legacy signerName is not allowed')]],
])('the signer %j', (signer, expected) => {
  expect(validateSignerName('spec.signerName', signer).map(({ message }) => message)).toEqual(expected)
})
