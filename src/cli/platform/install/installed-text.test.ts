import { describe, expect, it } from 'vitest'
import { installedText } from './installed-text.ts'
import { type InstallChoices, settingsOf, usualFacts } from './settings.ts'

function text(choices: InstallChoices, mode: 'install' | 'upgrade' = 'install', hasNewKey = false): string {
  return installedText({ settings: settingsOf('platform', choices, usualFacts), options: { mode }, hasNewKey })
}

describe('the login instructions of a platform', () => {
  it('name the generated CA, unless clients see another certificate', () => {
    const ca = 'login https://a.example.com --ca platform-ca.crt'
    expect(text({ address: 'a.example.com', expose: 'load-balancer' })).toContain(ca)
    for (const choices of [{ expose: 'ingress' }, { expose: 'load-balancer', tlsSecret: 'own' }] as const) {
      expect(text({ address: 'a.example.com', ...choices })).not.toContain('platform-ca.crt')
    }
  })

  it('name the node port, or how to find it', () => {
    const choices = { address: '192.0.2.1', expose: 'node-port' } as const
    expect(text({ ...choices, nodePort: 30443 })).toContain('login https://192.0.2.1:30443 ')
    expect(text(choices)).toContain('login https://192.0.2.1:PORT ')
    expect(text(choices)).toContain("get service tenant-platform -o jsonpath='{.spec.ports[0].nodePort}'")
  })

  it('say where a name must lead, unless the load balancer has it', () => {
    const hint = 'get service tenant-platform  # its EXTERNAL-IP is where a.example.com must lead\n'
    expect(text({ address: 'a.example.com', expose: 'load-balancer' })).toContain(
      `Next:\n  kubectl -n platform ${hint}`,
    )
    expect(text({ foundAddress: 'a.example.com', expose: 'load-balancer' })).not.toContain('EXTERNAL-IP')
    expect(text({ address: 'a.example.com', expose: 'ingress' })).not.toContain('EXTERNAL-IP')
  })

  it('are not repeated after an upgrade, unless the key is new', () => {
    const choices = { image: 'r.example.com/platform:2' }
    const upgrade = 'tenant create --upgrade my-cluster --image r.example.com/platform:2  # and all others'
    expect(text(choices, 'upgrade')).toContain(`\nNext:\n  ${upgrade}`)
    expect(text(choices, 'upgrade', true)).toMatch(/tenant platform login .*\n {2}tenant create --upgrade /)
  })

  it('suggest virtual clusters with the same image', () => {
    expect(text({})).toMatch(/ {2}tenant create my-cluster\n$/)
    expect(text({ image: 'r.example.com/platform:1' })).toContain(
      'create my-cluster --image r.example.com/platform:1\n',
    )
  })
})
