import { controlPlaneFields } from './control-plane-fields.ts'
import type { ConfigField } from './field.ts'
import { flag, objectField, optionalObject, optionalText, text } from './field-builder.ts'
import { policyFields } from './policy-fields.ts'
import { syncFields } from './sync-fields.ts'
import {
  domainName,
  namespaceName,
  plainAddress,
  projectName,
  publicKey,
  resourceName,
  serverAddress,
} from './text-format.ts'

export const defaultKeySecret = 'tenant-platform-api-key'

const apiKey = optionalObject(
  'Secret on the host with the shared key in its entry `accessKey` and the address of the platform in `host`.',
  {
    secretName: text('Name of the Secret.', resourceName, defaultKeySecret),
    namespace: optionalText('Namespace of the Secret.', namespaceName, "the tenant's own namespace on the host"),
    createRBAC: flag(
      'Whether a Role and a RoleBinding are created that let the tenant read a Secret in another namespace.',
      true,
    ),
  },
)

const platform = optionalObject(
  'The link to the platform. `{}` means a dedicated key, which is read from the environment or from the Secret `tenant-platform-api-key` in the namespace of the tenant. Without this field, a tenant that finds a key links too; one that finds none runs without a platform.',
  {
    apiKey,
    project: optionalText(
      'Project in which the tenant registers when it links for the first time.',
      projectName,
      'the project that the Secret with the key names, otherwise the only project that the key reaches',
    ),
  },
  { name: 'Platform' },
)

const networking = objectField('Domains and addresses in the virtual cluster and the host cluster.', {
  clusterDomain: text('Domain of Services in the virtual cluster.', domainName, 'cluster.local'),
  hostClusterDomain: text('Domain of Services in the host cluster.', domainName, 'cluster.local'),
  apiAddress: optionalText(
    'Address at which Pods on the host reach the API of the virtual cluster.',
    serverAddress,
    'the address of the Service of the tenant on the host',
  ),
  dnsAddress: optionalText(
    'Address at which Pods on the host reach the DNS server of the tenant, on port 53.',
    plainAddress,
    'the address of the Service of the tenant on the host, if it has a port for DNS',
  ),
})

const license = objectField('License of a tenant that cannot ask a platform for one.', {
  secretName: optionalText(
    "Name of a Secret in the tenant's namespace whose entry `license` holds a signed license.",
    resourceName,
    'the tenant asks the platform',
  ),
  issuerKey: optionalText(
    'Public key (Ed25519) of the license issuer, as PEM or base64.',
    publicKey,
    'the key given at installation',
  ),
})

/** The whole document. `platform` is merged into `external.platform` when it is read. */
export const documentFields = objectField('Configuration of one virtual cluster.', {
  sync: syncFields,
  policies: policyFields,
  external: objectField('Systems outside of both clusters.', { platform }),
  platform: { ...platform, description: 'Alternative to `external.platform`. Only one of the two may be set.' },
  networking,
  controlPlane: controlPlaneFields,
  license,
})

/** The same without its exact type, for code that walks it. */
export const documentField: ConfigField = documentFields
