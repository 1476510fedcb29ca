import { expect, it } from 'vitest'
import { refused } from './outcome.ts'
import { eachKubectl } from './suite.ts'

/** Fields that `explain` must list, with the type it prints. */
const paths: readonly [path: string, fields: Readonly<Record<string, string>>][] = [
  ['configmap', { data: 'map[string]string', immutable: 'boolean' }],
  ['service.spec', { clusterIP: 'string', selector: 'map[string]string', type: 'string' }],
  ['service.spec.ports', { port: 'integer', nodePort: 'integer', protocol: 'string' }],
  ['pod.spec.containers', { image: 'string', command: '[]string' }],
  ['role.rules', { verbs: '[]string', resources: '[]string' }],
  ['ownedaccesskey.spec', { displayName: 'string', ttl: 'integer', disabled: 'boolean', groups: '[]string' }],
  ['ownedaccesskey.spec.scope.rules', { verbs: '[]string', nonResourceURLs: '[]string', cluster: 'string' }],
  ['oak.spec.scope.rules.resources', { resources: '[]string', group: 'string' }],
  ['virtualclusterinstance.metadata', { labels: 'map[string]string', generation: 'integer' }],
]

eachKubectl('explain', (kubectl) => {
  it.each(paths)('%s', async (path, fields) => {
    const { code, stdout, stderr } = await kubectl.run(`explain ${path}`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const [field, type] of Object.entries(fields)) {
      expect(stdout).toMatch(new RegExp(`^ +${field}\\t<${type.replaceAll(/[[\]]/g, '\\$&')}>`, 'm'))
    }
    expect(descriptionIn(stdout)).toMatch(/\w+ \w+/)
  })

  it('names kind and version', async () => {
    const { stdout } = await kubectl.run('explain ownedaccesskeys')
    expect(stdout).toMatch(/^KIND: +OwnedAccessKey$/m)
    expect(stdout).toMatch(/^VERSION: +(management\.platform\.internal\/)?v1$/m)
  })

  it('describes a single field', async () => {
    const { code, stdout } = await kubectl.run('explain oak.spec.ttl')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^FIELD: +ttl <integer>$/m)
    expect(descriptionIn(stdout)).toMatch(/seconds/i)
  })

  it('marks required fields', async () => {
    const { stdout } = await kubectl.run('explain service.spec.ports')
    expect(stdout).toMatch(/^ +port\t<integer> -required-$/m)
  })

  it('lists the whole tree of a kind', async () => {
    const { code, stdout } = await kubectl.run('explain oak --recursive')
    expect(code).toBe(0)
    const depthOf = (field: string) => new RegExp(`^( +)${field}\\t`, 'm').exec(stdout)?.[1]?.length ?? 0
    const depths = ['spec', 'scope', 'rules', 'nonResourceURLs'].map(depthOf)
    expect(depths).toEqual([...depths].sort((left, right) => left - right))
    expect(new Set(depths).size).toBe(4)
  })

  it('leaves no field of an access key without a description', async () => {
    const { stdout } = await kubectl.run('get --raw /openapi/v3/apis/management.platform.internal/v1')
    const schemas: Record<string, unknown> = JSON.parse(stdout).components.schemas
    const own = Object.entries(schemas).filter(([name]) => name.includes('OwnedAccessKey'))
    expect(own.length).toBeGreaterThan(0)
    for (const [name, schema] of own) expect(undescribed(schema, name)).toEqual([])
  })

  it('refuses an unknown field', async () => {
    const [field, kind] = await Promise.all([kubectl.run('explain cm.nothing'), kubectl.run('explain nothing')])
    expect([field.code, field.stderr]).toEqual([1, 'error: field "nothing" does not exist\n'])
    expect(kind).toEqual(refused('the server doesn\'t have a resource type "nothing"'))
  })
})

function descriptionIn(stdout: string): string {
  return /^DESCRIPTION:\n([\s\S]*?)(?:^FIELDS:|$(?![\s\S]))/m.exec(stdout)?.[1] ?? ''
}

/** Paths of properties that have neither a description nor a reference to something described. */
function undescribed(schema: unknown, path: string): string[] {
  if (!isRecord(schema)) return []
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : []
  return [
    ...properties.flatMap(([name, property]) => [
      ...(isDescribed(property) ? [] : [`${path}.${name}`]),
      ...undescribed(property, `${path}.${name}`),
    ]),
    ...undescribed(schema.items, `${path}[]`),
    ...undescribed(schema.additionalProperties, `${path}.*`),
  ]
}

function isDescribed(schema: unknown): boolean {
  if (!isRecord(schema)) return false
  return (typeof schema.description === 'string' && schema.description !== '') || schema.$ref !== undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
