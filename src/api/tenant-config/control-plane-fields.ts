import { affinityField } from './affinity-fields.ts'
import type { IntegerField } from './field.ts'
import {
  count,
  listField,
  mapField,
  objectField,
  optionalObject,
  optionalText,
  requiredText,
  text,
  texts,
} from './field-builder.ts'
import {
  certificateText,
  claimName,
  clientIdText,
  controllersChoice,
  cpuAmount,
  environmentName,
  etcdAddresses,
  etcdPrefix,
  imageName,
  issuerAddress,
  labelKeyFormat,
  labelValue,
  memoryAmount,
  namesPrefix,
  plainText,
  resourceName,
  secretEntry,
  storageClassName,
  storageSize,
  taintEffect,
  tolerationOperator,
} from './text-format.ts'

export const mostReplicas = 100

function resourcesOf(container: string) {
  return objectField(`Resource requests and limits of ${container}.`, {
    requests: objectField('Resources that are reserved for the container.', {
      cpu: text('CPU request.', cpuAmount, '50m'),
      memory: text('Memory request.', memoryAmount, '128Mi'),
    }),
    limits: objectField('Resources that the container cannot exceed.', {
      cpu: optionalText('CPU limit.', cpuAmount, 'no limit'),
      memory: optionalText('Memory limit.', memoryAmount, 'no limit'),
    }),
  })
}

const tolerationSeconds: IntegerField<'optional'> = {
  type: 'integer',
  presence: 'optional',
  description: 'Number of seconds for which a taint with the effect `NoExecute` is tolerated.',
  absent: 'for as long as the taint exists',
  minimum: 0,
  maximum: 2_147_483_647,
}

const toleration = objectField('A node taint that the Pods of the control plane tolerate.', {
  key: optionalText('Key of the taint.', labelKeyFormat, 'every key, with the operator `Exists`'),
  operator: text(
    'How the value is compared: `Equal` matches this value, `Exists` matches every value.',
    tolerationOperator,
    'Equal',
  ),
  value: optionalText('Value of the taint.', labelValue, 'an empty value'),
  effect: optionalText(
    'Effect of the taint: `NoSchedule`, `PreferNoSchedule` or `NoExecute`.',
    taintEffect,
    'every effect',
  ),
  tolerationSeconds,
})

const variable = objectField(
  'An environment variable.',
  {
    name: requiredText('Name of the variable.', environmentName),
    value: optionalText('Value of the variable.', plainText),
    secret: optionalObject('Secret in the namespace of the tenant that holds the value, for confidential values.', {
      secretName: requiredText('Name of the Secret.', resourceName),
      key: requiredText('Entry of the Secret that holds the value.', secretEntry),
    }),
  },
  { rules: [{ type: 'one-group', groups: [['value'], ['secret']] }] },
)

export const controlPlaneFields = objectField('How the control plane of the virtual cluster runs.', {
  image: optionalText('Image of the tenant.', imageName, 'the image of the release that deploys it'),
  imagePullSecrets: texts(
    'Secrets in the namespace of the tenant that are used to pull its image.',
    'Name of a Secret.',
    resourceName,
  ),
  replicas: count(
    'Number of replicas. All of them serve the API, DNS and the link; one syncs at a time. More than one requires that the objects are stored in an etcd (`storage.etcd`) or that you provide an API server of your own (`virtualKubeconfig`).',
    1,
    { minimum: 1, maximum: mostReplicas },
  ),
  resources: resourcesOf('the container of the tenant'),
  storage: objectField('Storage of the embedded control plane.', {
    size: text('Size of the volume.', storageSize, '1Gi'),
    className: optionalText('Storage class of the volume.', storageClassName, 'the default class of the host'),
    maxObjects: count(
      'Maximum number of objects in the virtual cluster; more are refused. `tenant up` has a flag for this instead.',
      50_000,
      { minimum: 1_000, maximum: 1_000_000 },
    ),
    maxTotalSize: text(
      'Maximum total size of its objects, in memory and on the volume. The volume also holds their latest changes.',
      storageSize,
      '512Mi',
    ),
    etcd: optionalObject(
      'An etcd in which a virtual cluster on a host stores its objects. The volume then holds only its certificates and keys. An upgrade that sets this moves the objects of an existing virtual cluster from its volume into the etcd; there is no way back.',
      {
        addresses: requiredText('Addresses of the etcd members, separated by commas.', etcdAddresses),
        prefix: optionalText(
          'Prefix of its keys in etcd. Each virtual cluster that shares an etcd needs its own prefix.',
          etcdPrefix,
          '`/virtual-clusters/NAMESPACE/NAME`',
        ),
        certificates: optionalObject('Client certificate for an etcd that requires one.', {
          secretName: requiredText(
            'Name of a Secret in the namespace of the tenant with `ca.crt`, `tls.crt` and `tls.key`.',
            resourceName,
          ),
        }),
        user: optionalObject('User and password for an etcd that requires them.', {
          secretName: requiredText('Name of a Secret in the namespace of the tenant.', resourceName),
          key: text('Entry of the Secret that holds `USER:PASSWORD`.', secretEntry, 'user'),
        }),
      },
    ),
  }),
  labels: mapField(
    'Labels of the Pods of the control plane, in addition to the labels that select them.',
    labelKeyFormat,
    requiredText('The value of the label.', labelValue),
  ),
  nodeSelector: mapField(
    'Labels of the nodes on which the Pods of the control plane run.',
    labelKeyFormat,
    requiredText('The value of the label.', labelValue),
  ),
  affinity: affinityField,
  tolerations: listField('Node taints that the Pods of the control plane tolerate.', toleration),
  env: listField('Additional environment variables of the container of the tenant.', variable, { distinct: 'name' }),
  virtualKubeconfig: optionalObject(
    'An existing API server to use instead of the embedded control plane: a kubeconfig in a Secret in the namespace of the tenant.',
    {
      secretName: requiredText('Name of the Secret.', resourceName),
      key: text('Entry of the Secret that holds the kubeconfig.', secretEntry, 'config'),
    },
  ),
  oidc: optionalObject(
    'An issuer whose ID tokens the embedded control plane accepts, such as the platform itself. Roles are granted to the names of users and groups including their prefixes.',
    {
      issuer: requiredText('Address of the issuer, exactly as in the claim `iss` of its tokens.', issuerAddress),
      clientId: requiredText(
        'Audience of the tokens: the name of an OIDCClient, if the issuer is the platform.',
        clientIdText,
      ),
      usernameClaim: text('The claim with the name of the user.', claimName, 'preferred_username'),
      usernamePrefix: text('Prefix of the name of the user.', namesPrefix, 'oidc:'),
      groupsClaim: text('The claim with the groups of the user.', claimName, 'groups'),
      groupsPrefix: text('Prefix of the name of each group.', namesPrefix, 'oidc:'),
      caBundle: optionalText(
        'CA certificates with which the certificate of the issuer is verified.',
        certificateText,
        'the CA certificates of the system',
      ),
    },
  ),
  adminKubeconfig: objectField(
    'The kubeconfig for administrators that the tenant keeps in its namespace on the host.',
    {
      secretName: optionalText('Name of the Secret.', resourceName, 'derived from the name of the tenant'),
    },
  ),
  controllers: text(
    'What runs the controllers of Deployments, Jobs and other workloads: `embedded`, the tenant itself, or `external`, a kube-controller-manager. A change takes effect at the next start.',
    controllersChoice,
    'embedded',
  ),
  controllerManager: optionalObject(
    'The kube-controller-manager that runs beside the tenant if `controllers` is `external`. It has access to the virtual cluster and none to the host.',
    {
      image: requiredText('Image that provides the command `kube-controller-manager`.', imageName),
      resources: resourcesOf('its container'),
    },
  ),
})
