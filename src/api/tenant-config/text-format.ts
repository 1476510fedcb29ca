/** What a text must look like. `pattern` also goes into the JSON Schema, so it must mean the same in every dialect. */
export interface TextFormat {
  /** Completes "must be …". */
  readonly expectation: string
  readonly example: string
  readonly pattern?: RegExp
  readonly maxLength?: number
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label}(\\.${label})*`
/** `${name}` stands for the tenant's name. */
const mappedLetter = '([a-z0-9]|\\$\\{name\\})'
const mappedPart = '([-a-z0-9]|\\$\\{name\\})'

export const issuerAddress: TextFormat = {
  expectation: 'an https address without user, query or fragment',
  example: 'https://platform.example.com/oidc',
  pattern: /^https:\/\/[A-Za-z0-9.:[\]-]+(\/[-._~/A-Za-z0-9]*)?$/,
  maxLength: 500,
}

export const claimName: TextFormat = {
  expectation: 'the name of a claim: letters, digits, -, _ and .',
  example: 'preferred_username',
  pattern: /^[-._a-zA-Z0-9]+$/,
  maxLength: 100,
}

export const clientIdText: TextFormat = {
  expectation: 'a client id, without blanks',
  example: 'my-cluster',
  pattern: /^[!-~]+$/,
  maxLength: 200,
}

export const namesPrefix: TextFormat = {
  expectation: 'a prefix for every name: letters, digits, -, _, ., / and :, and not system:',
  example: 'oidc:',
  pattern: /^(?!system:)[-._/:a-zA-Z0-9]+$/,
  maxLength: 100,
}

export const certificateText: TextFormat = {
  expectation: 'certificates in PEM',
  example: '-----BEGIN CERTIFICATE-----…',
}

export const publicKey: TextFormat = { expectation: 'a public key', example: 'MCowBQYDK2VwAyEA…' }

export const fieldPath: TextFormat = { expectation: 'a path of fields', example: 'metadata.annotations[*]' }

export const expression: TextFormat = { expectation: 'a JavaScript expression', example: 'value.toLowerCase()' }

export const etcdAddresses: TextFormat = {
  expectation: 'addresses of etcd, all with https or all with http, separated by commas',
  example: 'https://10.0.0.1:2379,https://10.0.0.2:2379',
  pattern:
    /^(https:\/\/[A-Za-z0-9.:[\]-]+(,https:\/\/[A-Za-z0-9.:[\]-]+)*|http:\/\/[A-Za-z0-9.:[\]-]+(,http:\/\/[A-Za-z0-9.:[\]-]+)*)$/,
  maxLength: 1000,
}

export const etcdPrefix: TextFormat = {
  expectation: 'a path: a slash, then letters, digits, -, _ and ., with slashes between',
  example: '/virtual-clusters/team-a',
  pattern: /^(\/[A-Za-z0-9._-]+)+$/,
  maxLength: 200,
}

export const resourceName: TextFormat = {
  expectation: 'the name of an object: lower-case letters, digits, - and .',
  example: 'my-secret',
  pattern: new RegExp(`^${subdomain}$`),
  maxLength: 253,
}

export const storageClassName: TextFormat = { ...resourceName, example: 'standard' }

export const storageClassPattern: TextFormat = {
  expectation: 'the name of a StorageClass, or * for any',
  example: 'standard',
  pattern: new RegExp(`^(\\*|${subdomain})$`),
  maxLength: 253,
}

export const namespaceName: TextFormat = {
  expectation: 'the name of a namespace: lower-case letters, digits and -',
  example: 'tenant-platform',
  pattern: new RegExp(`^${label}$`),
  maxLength: 63,
}

export const projectName: TextFormat = {
  expectation: 'the name of a project: lower-case letters, digits and -',
  example: 'default',
  pattern: new RegExp(`^${label}$`),
  maxLength: 63,
}

export const domainName: TextFormat = {
  expectation: 'a domain: lower-case labels joined by dots, without a dot at the end',
  example: 'cluster.local',
  pattern: new RegExp(`^${subdomain}$`),
  maxLength: 253,
}

export const secretEntry: TextFormat = {
  expectation: 'the name of an entry of a Secret: letters, digits, -, _ and .',
  example: 'config',
  pattern: /^[-._a-zA-Z0-9]+$/,
  maxLength: 253,
}

export const imageName: TextFormat = {
  expectation: 'the name of an image, without blanks',
  example: 'registry.example.com/tenant-platform:1.0.0',
  pattern: /^\S+$/,
}

export const storageSize: TextFormat = {
  expectation: 'an amount of storage such as 500Mi or 5Gi',
  example: '5Gi',
  pattern: /^[0-9]{1,15}(\.[0-9]{1,3})?(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/,
}

export const amountFormat: TextFormat = {
  expectation: 'an amount such as 500m, 4 or 16Gi',
  example: '16Gi',
  pattern: /^[0-9]{1,15}(\.[0-9]{1,3})?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/,
}

export const quotaResourceFormat: TextFormat = {
  expectation: 'a resource such as pods, requests.cpu or count/jobs.batch',
  example: 'requests.cpu',
  pattern: /^[a-zA-Z0-9]([-._/a-zA-Z0-9]*[a-zA-Z0-9])?$/,
  maxLength: 253,
}

export const cpuAmount: TextFormat = {
  expectation: 'an amount of processor time such as 500m or "2"',
  example: '500m',
  pattern: /^[0-9]{1,9}(\.[0-9]{1,3}|m)?$/,
}

export const memoryAmount: TextFormat = {
  ...storageSize,
  expectation: 'an amount of memory such as 500Mi or 2Gi',
  example: '512Mi',
}

/** Longer values belong in a Secret or a file. */
export const plainText: TextFormat = {
  expectation: 'a text of at most 4096 characters',
  example: 'info',
  maxLength: 4096,
}

export const environmentName: TextFormat = {
  expectation: 'the name of a variable: letters, digits and _',
  example: 'HTTPS_PROXY',
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  maxLength: 253,
}

export const controllersChoice: TextFormat = oneOf('embedded', 'external')
export const tolerationOperator: TextFormat = oneOf('Equal', 'Exists')
export const taintEffect: TextFormat = oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute')
export const podOperator: TextFormat = oneOf('In', 'NotIn', 'Exists', 'DoesNotExist')
export const nodeOperator: TextFormat = oneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt')

function oneOf(first: string, ...others: readonly string[]): TextFormat {
  const last = others.at(-1) ?? first
  const expectation = [[first, ...others.slice(0, -1)].join(', '), last].join(' or ')
  return { expectation, example: first, pattern: new RegExp(`^(${[first, ...others].join('|')})$`) }
}

export const apiVersion: TextFormat = {
  expectation: 'an API version such as v1 or apps/v1',
  example: 'cert-manager.io/v1',
  pattern: new RegExp(`^(${subdomain}/)?v[0-9a-z]+$`),
  maxLength: 320,
}

export const kindName: TextFormat = {
  expectation: 'the name of a kind such as Secret',
  example: 'Secret',
  pattern: /^[A-Z][A-Za-z0-9]*$/,
  maxLength: 63,
}

export const customResourceName: TextFormat = {
  expectation: 'the plural of a resource and its group, in lower case',
  example: 'certificates.cert-manager.io',
  pattern: new RegExp(`^[a-z]([-a-z0-9]*[a-z0-9])?(\\.${label})*$`),
  maxLength: 253,
}

export const virtualNamespace: TextFormat = {
  expectation: 'a namespace, or the start of one and * at its end',
  example: 'team-*',
  pattern: new RegExp(`^(${label}|([a-z0-9][-a-z0-9]*)?\\*)$`),
  maxLength: 63,
}

export const hostNamespace: TextFormat = {
  expectation: `a namespace, or the start of one and * at its end; \${name} stands for the tenant's name`,
  example: `\${name}-team-*`,
  pattern: new RegExp(`^(${mappedLetter}(${mappedPart}*${mappedLetter})?|(${mappedLetter}${mappedPart}*)?\\*)$`),
  maxLength: 253,
}

export const namespacedObject: TextFormat = {
  expectation: 'namespace/name, or namespace/* for all of a namespace',
  example: 'shared/ca-bundle',
  pattern: new RegExp(`^${label}/(${subdomain}|\\*)$`),
  maxLength: 317,
}

export const importedObject: TextFormat = {
  expectation: 'namespace/name or namespace/*, and name or * for resources without namespace',
  example: 'shared/*',
  pattern: new RegExp(`^(${label}/)?(${subdomain}|\\*)$`),
  maxLength: 317,
}

const octet = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const ipv4 = `${octet}(\\.${octet}){3}`
const group = '[0-9a-fA-F]{1,4}'
/** All groups, or fewer of them around one `::`. */
const ipv6 = [
  `(${group}:){7}${group}`,
  `(${group}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((behind) => `(${group}:){1,${7 - behind}}(:${group}){1,${behind}}`),
  `:((:${group}){1,7}|:)`,
].join('|')

export const addressRangeFormat: TextFormat = {
  expectation: 'an address or a range of addresses (CIDR), IPv4 numbers without leading zeros',
  example: '203.0.113.0/24',
  pattern: new RegExp(`^(${ipv4}(/([0-9]|[12][0-9]|3[0-2]))?|(${ipv6})(/([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))?)$`),
  maxLength: 43,
}

export const serverAddress: TextFormat = {
  expectation: 'an IP address, with its port where that is not 443; one of IPv6 in brackets',
  example: '10.0.0.5:6443',
  pattern: new RegExp(`^(${ipv4}|\\[(${ipv6})\\])(:[1-9][0-9]{0,4})?$`),
  maxLength: 47,
}

export const plainAddress: TextFormat = {
  expectation: 'an IP address',
  example: '10.0.0.5',
  pattern: new RegExp(`^(${ipv4}|${ipv6})$`),
  maxLength: 39,
}

export const domainPattern: TextFormat = {
  expectation: 'a domain name, *. and a domain for all names below it, or * for all names that are not internal',
  example: '*.example.com',
  pattern: new RegExp(`^(\\*|(\\*\\.)?${subdomain})$`),
  maxLength: 253,
}

export const hostPattern: TextFormat = {
  ...domainPattern,
  expectation: 'a host name, *. and a domain for all names below it, or * for any',
  example: '*.apps.example.com',
}

export const loadBalancerClass: TextFormat = {
  expectation: 'the name of a class of load balancers, with or without a prefix',
  example: 'example.com/internal',
  pattern: new RegExp(`^(${subdomain}/)?[a-zA-Z0-9]([-._a-zA-Z0-9]*[a-zA-Z0-9])?$`),
  maxLength: 317,
}

export const metadataKey: TextFormat = {
  expectation:
    'a prefix with / at its end, *. and a prefix for all below it, a key, or * for all that no controller acts on',
  example: 'example.com/',
  pattern: new RegExp(
    `^(\\*|(\\*\\.)?${subdomain}/|(${subdomain}/)[a-zA-Z0-9]([-._a-zA-Z0-9]*[a-zA-Z0-9])?|[a-zA-Z0-9]([-_a-zA-Z0-9]*[a-zA-Z0-9])?)$`,
  ),
  maxLength: 317,
}

export const podSecurityLevel: TextFormat = {
  expectation: 'privileged, baseline or restricted',
  example: 'baseline',
  pattern: /^(privileged|baseline|restricted)$/,
}

export const nodeMode: TextFormat = {
  expectation: 'none, used or selected',
  example: 'used',
  pattern: /^(none|used|selected)$/,
}

export const labelKeyFormat: TextFormat = {
  expectation: 'a key of a label or taint, with or without a prefix',
  example: 'example.com/pool',
  pattern: new RegExp(`^(${subdomain}/)?[a-zA-Z0-9]([-._a-zA-Z0-9]*[a-zA-Z0-9])?$`),
  maxLength: 317,
}

export const labelValue: TextFormat = {
  expectation: 'the value of a label: letters, digits, -, _ and .',
  example: 'tenants',
  pattern: /^[a-zA-Z0-9]([-._a-zA-Z0-9]*[a-zA-Z0-9])?$/,
  maxLength: 63,
}

/** Empty texts are never valid: omit a field without a value. */
export function fitsFormat(value: string, { pattern, maxLength }: TextFormat): boolean {
  if (value === '' || (maxLength !== undefined && value.length > maxLength)) return false
  return pattern === undefined || pattern.test(value)
}
