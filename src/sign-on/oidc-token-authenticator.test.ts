import { describe, expect, it } from 'vitest'
import { oidcUserInfo } from './oidc-token-authenticator.ts'

const settings = {
  issuer: 'https://platform.example/oidc',
  clientId: 'cluster',
  usernameClaim: 'preferred_username',
  usernamePrefix: 'oidc:',
  groupsClaim: 'groups',
  groupsPrefix: 'oidc:',
}
const bare = { ...settings, usernamePrefix: '', groupsPrefix: '' }

describe('a caller with an ID token', () => {
  it.each([
    ['a name and teams', { preferred_username: 'ann', groups: ['ops'] }, settings, 'oidc:ann', ['oidc:ops']],
    ['one group as a text', { preferred_username: 'ann', groups: 'ops' }, settings, 'oidc:ann', ['oidc:ops']],
    ['no groups', { preferred_username: 'ann' }, settings, 'oidc:ann', []],
    ['groups that are no texts', { preferred_username: 'ann', groups: [1, {}, ''] }, settings, 'oidc:ann', []],
    ['a group of the cluster itself', { preferred_username: 'a', groups: ['system:masters'] }, bare, 'a', []],
    [
      'a group of the platform',
      { preferred_username: 'a', groups: ['platform:cluster-role:cluster-admin', 'platform:team:ops'] },
      bare,
      'a',
      [],
    ],
    ['a verified address', { email: 'a@b', email_verified: true }, { ...bare, usernameClaim: 'email' }, 'a@b', []],
  ])('%s', (_, payload, asked, name, groups) => {
    expect(oidcUserInfo(payload, asked)).toEqual({ name, groups: [...groups, 'system:authenticated'] })
  })

  it.each([
    ['no name', {}, settings],
    ['a name that is no text', { preferred_username: ['ann'] }, settings],
    ['an empty name', { preferred_username: '' }, settings],
    ['a user of the cluster itself', { preferred_username: 'system:admin' }, bare],
    ['a user as the platform passes them on', { preferred_username: 'platform:system:admin' }, bare],
    ['an address that is not verified', { email: 'a@b', email_verified: 'true' }, { ...bare, usernameClaim: 'email' }],
    ['an inherited property', {}, { ...settings, usernameClaim: 'constructor' }],
  ])('is not known with %s', (_, payload, asked) => {
    expect(oidcUserInfo(payload, asked)).toBeUndefined()
  })
})
