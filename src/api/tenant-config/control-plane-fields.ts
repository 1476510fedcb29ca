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
  return objectField(`What ${container} asks its node for, and what it may use at most.`, {
    requests: objectField('What is set aside for it.', {
      cpu: text('Processor time.', cpuAmount, '50m'),
      memory: text('Memory.', memoryAmount, '128Mi'),
    }),
    limits: objectField('What it cannot exceed.', {
      cpu: optionalText('Processor time.', cpuAmount, 'no limit'),
      memory: optionalText('Memory.', memoryAmount, 'no limit'),
    }),
  })
}

const tolerationSeconds: IntegerField<'optional'> = {
  type: 'integer',
  presence: 'optional',
  description: 'For how long a taint with the effect `NoExecute` is tolerated.',
  absent: 'for as long as it is there',
  minimum: 0,
  maximum: 2_147_483_647,
}

const toleration = objectField('A taint of nodes that its Pods tolerate.', {
  key: optionalText('Key of the taint.', labelKeyFormat, 'every key, with the operator `Exists`'),
  operator: text('How the value counts: `Equal`, or `Exists` for every value.', tolerationOperator, 'Equal'),
  value: optionalText('Value of the taint.', labelValue, 'an empty one'),
  effect: optionalText(
    'Effect of the taint: `NoSchedule`, `PreferNoSchedule` or `NoExecute`.',
    taintEffect,
    'every effect',
  ),
  tolerationSeconds,
})

const variable = objectField(
  'One variable.',
  {
    name: requiredText('Its name.', environmentName),
    value: optionalText('Its value.', plainText),
    secret: optionalObject('Where its value is, if it is confidential: a Secret of the namespace of the tenant.', {
      secretName: requiredText('Name of the Secret.', resourceName),
      key: requiredText('Entry of the Secret that holds the value.', secretEntry),
    }),
  },
  { rules: [{ type: 'one-group', groups: [['value'], ['secret']] }] },
)

export const controlPlaneFields = objectField('How the control plane of the virtual cluster runs.', {
  image: optionalText('Image of the tenant.', imageName, 'the image of the release that deploys it'),
  imagePullSecrets: texts(
    'Secrets of the namespace of the tenant with which its image is pulled.',
    'Name of a Secret.',
    resourceName,
  ),
  replicas: count(
    'How many replicas run: all of them serve the API, names and the link, and one syncs at a time. Several need objects that are on an etcd (`storage.etcd`), or an API server of your own (`virtualKubeconfig`).',
    1,
    { minimum: 1, maximum: mostReplicas },
  ),
  resources: resourcesOf('the container of the tenant'),
  storage: objectField('What the embedded control plane keeps, and where.', {
    size: text('Size of the volume.', storageSize, '1Gi'),
    className: optionalText('Storage class of the volume.', storageClassName, 'the default class of the host'),
    maxObjects: count(
      'How many objects the virtual cluster may keep; more are refused. `tenant up` has a flag for it instead.',
      50_000,
      { minimum: 1_000, maximum: 1_000_000 },
    ),
    maxTotalSize: text(
      'How much its objects may take together, in memory and in the volume, which also holds their latest changes.',
      storageSize,
      '512Mi',
    ),
    etcd: optionalObject(
      'An etcd on which a virtual cluster on a host keeps its objects; the volume then holds its certificates and keys alone. This is decided when it is created.',
      {
        addresses: requiredText('Addresses of its members, separated by commas.', etcdAddresses),
        prefix: optionalText(
          'Where its keys begin. Virtual clusters that share an etcd have one each.',
          etcdPrefix,
          '`/virtual-clusters/NAMESPACE/NAME`',
        ),
        certificates: optionalObject('What an etcd is shown that asks for a client certificate.', {
          secretName: requiredText(
            'Name of a Secret of the namespace of the tenant with `ca.crt`, `tls.crt` and `tls.key`.',
            resourceName,
          ),
        }),
        user: optionalObject('User and password for an etcd that asks for them.', {
          secretName: requiredText('Name of a Secret of the namespace of the tenant.', resourceName),
          key: text('Entry of the Secret that holds `USER:PASSWORD`.', secretEntry, 'user'),
        }),
      },
    ),
  }),
  labels: mapField(
    'Labels of its Pods, besides those that they are found by.',
    labelKeyFormat,
    requiredText('The value of the label.', labelValue),
  ),
  nodeSelector: mapField(
    'Labels of the nodes on which its Pods run.',
    labelKeyFormat,
    requiredText('The value of the label.', labelValue),
  ),
  affinity: affinityField,
  tolerations: listField('Taints of nodes that its Pods tolerate.', toleration),
  env: listField('More variables of the environment of its container.', variable, { distinct: 'name' }),
  virtualKubeconfig: optionalObject(
    'An API server that exists already and is used instead of the embedded control plane: a kubeconfig in a Secret of the namespace of the tenant.',
    {
      secretName: requiredText('Name of the Secret.', resourceName),
      key: text('Entry of the Secret that holds the kubeconfig.', secretEntry, 'config'),
    },
  ),
  oidc: optionalObject(
    'An issuer whose ID tokens the embedded control plane takes, such as the platform itself. Roles are given to users and groups by their names with the prefixes.',
    {
      issuer: requiredText('What the issuer calls itself, to the letter.', issuerAddress),
      clientId: requiredText(
        'Whom the tokens are for: the name of an OIDCClient, if the issuer is the platform.',
        clientIdText,
      ),
      usernameClaim: text('The claim with the name of the user.', claimName, 'preferred_username'),
      usernamePrefix: text('What is put before it.', namesPrefix, 'oidc:'),
      groupsClaim: text('The claim with the groups of the user.', claimName, 'groups'),
      groupsPrefix: text('What is put before each of them.', namesPrefix, 'oidc:'),
      caBundle: optionalText('Authorities of the certificate of the issuer.', certificateText, 'those of the system'),
    },
  ),
  adminKubeconfig: objectField(
    'The kubeconfig for administrators that the tenant keeps in its namespace on the host.',
    {
      secretName: optionalText('Name of the Secret.', resourceName, 'made from the name of the tenant'),
    },
  ),
  controllers: text(
    'Who acts on Deployments, Jobs and other workloads: `embedded`, the tenant itself, or `external`, a kube-controller-manager. It counts from the next start.',
    controllersChoice,
    'embedded',
  ),
  controllerManager: optionalObject(
    'The kube-controller-manager that runs beside the tenant if `controllers` is `external`, with a way into the virtual cluster and none to the host.',
    {
      image: requiredText('Its image, whose command is `kube-controller-manager`.', imageName),
      resources: resourcesOf('its container'),
    },
  ),
})
