import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { type KeyActions, keysCommand } from '../../../src/cli/platform/keys/keys-command.ts'
import { loginCommand } from '../../../src/cli/platform/login/login-command.ts'

type Recorded = readonly [action: string, options: unknown]

/** The options that the command line results in, without running the command. */
async function meaning(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Recorded> {
  const recorded: Recorded[] = []
  const record = (action: string) => (options: unknown) => {
    recorded.push([action, options])
    return Promise.resolve()
  }
  const actions: KeyActions = {
    create: record('create'),
    list: record('list'),
    get: record('get'),
    rotate: record('rotate'),
    secrets: record('secrets'),
    setState: record('setState'),
    remove: record('remove'),
    explain: record('explain'),
    advise: record('advise'),
  }
  const program = quiet(new Command())
  program.addCommand(quiet(loginCommand(env, record('login')))).addCommand(quiet(keysCommand(actions)))
  await program.parseAsync(args, { from: 'user' })
  const [only] = recorded
  if (only === undefined) throw new Error('Nothing was asked for.')
  return only
}

function quiet(command: Command): Command {
  for (const child of command.commands) quiet(child)
  return command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} })
}

const fingerprint = `SHA256:${'AB:'.repeat(32).slice(0, -1)}`

describe('login', () => {
  it.each([
    ['the environment', ['p.example'], { TENANT_ACCESS_KEY: 'e' }, { key: { from: 'environment', value: 'e' } }],
    [
      'the flag before it',
      ['p.example', '--access-key', 'k'],
      { TENANT_ACCESS_KEY: 'e' },
      { key: { from: 'flag', value: 'k' } },
    ],
    [
      'standard input before it',
      ['p.example', '--access-key-stdin'],
      { TENANT_ACCESS_KEY: 'e' },
      { key: { from: 'stdin' } },
    ],
    ['the browser', ['p.example'], {}, { key: { from: 'browser' } }],
    ['a question', ['p.example', '--access-key-prompt'], {}, { key: { from: 'prompt' } }],
    ['the browser if the variable is empty', ['p.example'], { TENANT_ACCESS_KEY: '' }, { key: { from: 'browser' } }],
    ['an authority', ['p.example', '--ca', 'ca.crt'], {}, { ca: 'ca.crt', key: { from: 'browser' } }],
    [
      'a fingerprint',
      ['p.example', '--trust-fingerprint', 'ab'.repeat(32)],
      {},
      { fingerprint, key: { from: 'browser' } },
    ],
    ['a name', ['p.example', '--name', 'staging'], {}, { name: 'staging', key: { from: 'browser' } }],
  ])('takes %s', async (_, args, env, options) => {
    expect(await meaning(['login', ...args], env)).toEqual(['login', { url: new URL('https://p.example'), ...options }])
  })

  it.each([
    ['p.example', 'https://p.example/'],
    ['https://p.example:8443/', 'https://p.example:8443/'],
    ['https://p.example/below//', 'https://p.example/below'],
    ['[::1]:8443', 'https://[::1]:8443/'],
  ])('reads the address %s', async (text, url) => {
    expect(await meaning(['login', text])).toMatchObject(['login', { url: new URL(url) }])
  })

  it.each([
    [['http://p.example'], 'by https only'],
    [['https://ada:pass@p.example'], 'no user, query or fragment'],
    [['https://p.example?x=1'], 'no user, query or fragment'],
    [['https://'], 'looks like https://platform.example.com:8443'],
    [['p.example', '--trust-fingerprint', 'ab'], '64 hexadecimal digits'],
    [['p.example', '--name', '../x'], 'cannot name a platform'],
    [['p.example', '--ca', 'f', '--trust-fingerprint', 'ab'], 'cannot be used with'],
    [['p.example', '--access-key', 'k', '--access-key-stdin'], 'cannot be used with'],
    [[], "missing required argument 'url'"],
  ])('refuses %j', async (args, problem) => {
    await expect(meaning(['login', ...args])).rejects.toThrow(problem)
  })
})

const plain = { sliding: false, quiet: false, output: 'table' }

describe('keys create', () => {
  it.each([
    ['nothing', [], {}],
    ['a name', ['ci'], { name: 'ci' }],
    ['words', ['--display-name', 'A B', '--description', 'c'], { displayName: 'A B', description: 'c' }],
    ['an owner', ['--user', 'ada'], { user: 'ada' }],
    ['a team', ['--team', 'web'], { team: 'web' }],
    ['an end', ['--expire-after', '1d12h', '--sliding'], { ttlSeconds: 129_600, sliding: true }],
    ['a file', ['-f', 'key.yaml', '-o', 'json'], { file: 'key.yaml', output: 'json' }],
    ['a platform', ['--platform', 'staging'], { platform: 'staging' }],
    ['silence', ['-q'], { quiet: true }],
    [
      'projects and spaces',
      ['--project', 'a', '--project', '*', '--space', 'a/s'],
      { scope: { projects: [{ project: 'a' }, { project: '*' }], spaces: [{ project: 'a', space: 's' }] } },
    ],
    [
      'clusters',
      ['--virtual-cluster', 'a/v', '--virtual-cluster', 'b/*', '--cluster', 'eu'],
      {
        scope: {
          virtualClusters: [
            { project: 'a', virtualCluster: 'v' },
            { project: 'b', virtualCluster: '*' },
          ],
          clusters: [{ cluster: 'eu' }],
        },
      },
    ],
    [
      'roles',
      ['--role', 'tenant', '--role', 'platformCLI:a,b'],
      {
        scope: {
          roles: [
            { role: 'tenant', projects: ['*'] },
            { role: 'platformCLI', projects: ['a', 'b'] },
          ],
        },
      },
    ],
    [
      'roles for some virtual clusters',
      ['--role', 'tenant:web/staging,web/prod', '--role', 'tenant:shop/demo'],
      {
        scope: {
          roles: [
            { role: 'tenant', projects: ['web'], virtualClusters: ['staging', 'prod'] },
            { role: 'tenant', projects: ['shop'], virtualClusters: ['demo'] },
          ],
        },
      },
    ],
  ])('understands %s', async (_, args, options) => {
    expect(await meaning(['keys', 'create', ...args])).toEqual(['create', { ...plain, ...options }])
  })

  it.each([
    [['Not A Name'], 'not the name of a key'],
    [['..'], 'not the name of a key'],
    [['--expire-after', '3600'], 'needs a unit'],
    [['--expire-after', '0d'], 'more than 0'],
    [['--expire-after', 'soon'], '30d, 12h, 1w'],
    [['--space', 's'], 'a project and a name'],
    [['--space', 'a/b/c'], 'a project and a name'],
    [['--virtual-cluster', '/v'], 'a project and a name'],
    [['--project', ' '], 'must not be empty'],
    [['--role', 'tenant:'], 'must not be empty'],
    [['--role', 'tenant:a/x,b/y'], 'Use a separate --role for the virtual clusters of each project'],
    [['--role', 'tenant:a,a/x'], 'a project and a name'],
    [['--user', 'a', '--team', 'b'], 'cannot be used with'],
    [['-o', 'xml'], 'Allowed choices are table, json, yaml, name'],
    [['--quiet', '-o', 'json'], 'cannot be used with'],
    [['a', 'b'], 'too many arguments'],
  ])('refuses %j', async (args, problem) => {
    await expect(meaning(['keys', 'create', ...args])).rejects.toThrow(problem)
  })
})

const listed = { output: 'table' }
const management = { kind: 'management' }
const pods = { resource: 'pods', group: '', subresource: '', namespace: '', name: '' }

describe('keys', () => {
  it.each<[readonly string[], string, object]>([
    [['list'], 'list', listed],
    [['ls', '-o', 'wide', '--platform', 'p'], 'list', { output: 'wide', platform: 'p' }],
    [['get', 'ci', '-o', 'yaml'], 'get', { name: 'ci', output: 'yaml' }],
    [['get', 'ownedaccesskey.management.platform.internal/ci'], 'get', { name: 'ci', ...listed }],
    [['rotate', 'ci'], 'rotate', { name: 'ci', overlapSeconds: 0, quiet: false, yes: false, ...listed }],
    [['secrets', 'ci'], 'secrets', { name: 'ci', add: [], remove: [], ...listed }],
    [
      ['secrets', 'ci', '--add', 'host:a/b', '--add', 'a/c#token', '--remove', 'a/d'],
      'secrets',
      {
        name: 'ci',
        add: [
          { cluster: 'host', namespace: 'a', name: 'b' },
          { namespace: 'a', name: 'c', entry: 'token' },
        ],
        remove: [{ namespace: 'a', name: 'd' }],
        ...listed,
      },
    ],
    [
      ['rotate', 'ci', '--overlap', '24h', '-q'],
      'rotate',
      { name: 'ci', overlapSeconds: 86_400, quiet: true, yes: false, ...listed },
    ],
    [['disable', 'a', 'b'], 'setState', { names: ['a', 'b'], disabled: true, ...listed }],
    [['enable', 'a'], 'setState', { names: ['a'], disabled: false, ...listed }],
    [['delete', 'a', 'b', '-y'], 'remove', { names: ['a', 'b'], yes: true, output: 'text' }],
    [['delete', 'a', '-o', 'name'], 'remove', { names: ['a'], yes: false, output: 'name' }],
    [['advise', 'ci'], 'advise', { name: 'ci', output: 'patch' }],
    [
      ['explain', 'ci', '--verb', 'list', '--resource', 'pods'],
      'explain',
      { keyName: 'ci', verb: 'list', asked: pods, target: management, ...listed },
    ],
    [
      [
        'explain',
        'ci',
        '--verb',
        'get',
        '--resource',
        'deployments.apps/scale',
        '-n',
        'a',
        '--name',
        'b',
        '--target',
        'cluster/eu',
      ],
      'explain',
      {
        keyName: 'ci',
        verb: 'get',
        asked: { resource: 'deployments', group: 'apps', subresource: 'scale', namespace: 'a', name: 'b' },
        target: { kind: 'cluster', cluster: 'eu' },
        ...listed,
      },
    ],
    [
      ['explain', 'ci', '--verb', 'get', '--path', '/metrics', '--target', 'virtual-cluster/web/v'],
      'explain',
      {
        keyName: 'ci',
        verb: 'get',
        asked: { path: '/metrics' },
        target: { kind: 'virtual-cluster', project: 'web', virtualCluster: 'v' },
        ...listed,
      },
    ],
    [
      ['explain', 'ci', '--verb', 'get', '--resource', 'pods', '--target', 'space/web/s'],
      'explain',
      { keyName: 'ci', verb: 'get', asked: pods, target: { kind: 'space', project: 'web', space: 's' }, ...listed },
    ],
  ])('understands %j', async (args, action, options) => {
    expect(await meaning(['keys', ...args])).toEqual([action, options])
  })

  it.each([
    [['get'], "missing required argument 'name'"],
    [['delete'], "missing required argument 'names'"],
    [['get', 'a/../b'], 'not the name of a key'],
    [['rotate', 'ci', '--overlap', '1y'], '30d, 12h, 1w'],
    [['secrets', 'ci', '--add', 'a'], 'CLUSTER:NAMESPACE/NAME'],
    [['secrets', 'ci', '--add', '../a/b'], 'CLUSTER:NAMESPACE/NAME'],
    [['explain', 'ci', '--verb', 'get'], '--resource or --path'],
    [['explain', 'ci', '--resource', 'pods'], '--verb'],
    [['explain', 'ci', '--verb', 'get', '--resource', 'pods', '--target', 'moon'], 'cluster/C'],
    [['explain', 'ci', '--verb', 'get', '--resource', 'pods', '--target', 'space/web'], 'cluster/C'],
    [['remove', 'ci'], "unknown command 'remove'"],
  ])('refuses %j', async (args, problem) => {
    await expect(meaning(['keys', ...args])).rejects.toThrow(problem)
  })
})
