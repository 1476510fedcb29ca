import {
  droppedField,
  eachWith,
  type FieldDecision,
  type FieldDecisions,
  fieldsIn,
  plainFields,
  refusedField,
} from './known-fields.ts'

/**
 * The decision for each field of a Pod translated for the host, at every depth. A new field in the tables of Kubernetes
 * without a decision here fails a test, and is refused until then.
 */

const byNode = refusedField("the node would connect to an address of the tenant's choice")
const ofHost = refusedField('it belongs to the node and not to the Pod')
const ofNetwork = refusedField('the node would mount it with its own network identity')
const ofDevices = refusedField('devices of nodes are not given to tenants')
const ofWindows = refusedField('Pods of tenants run on Linux')
const ofToken = refusedField('the host would give the Pod a token of the host')
const translatedAway = refusedField('it is set by the host')

const keyToPath = eachWith(plainFields('key', 'path', 'mode'))
const localReference = fieldsIn(plainFields('name'))
const fieldReference = fieldsIn(plainFields('apiVersion', 'fieldPath'))
const resourceReference = fieldsIn(plainFields('containerName', 'resource', 'divisor'))

const labelSelector: FieldDecision = fieldsIn({
  ...plainFields('matchLabels'),
  matchExpressions: eachWith(plainFields('key', 'operator', 'values')),
})

const resources: FieldDecision = fieldsIn({ ...plainFields('limits', 'requests'), claims: ofDevices })

const httpGet: FieldDecision = fieldsIn({
  ...plainFields('path', 'port', 'scheme'),
  host: byNode,
  httpHeaders: eachWith(plainFields('name', 'value')),
})

const tcpSocket: FieldDecision = fieldsIn({ ...plainFields('port'), host: byNode })

const handler: FieldDecisions = { exec: fieldsIn(plainFields('command')), httpGet, tcpSocket }

const probe: FieldDecision = fieldsIn({
  ...handler,
  grpc: fieldsIn(plainFields('port', 'service')),
  ...plainFields('initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'),
  ...plainFields('terminationGracePeriodSeconds'),
})

const lifecycleHandler: FieldDecision = fieldsIn({ ...handler, sleep: fieldsIn(plainFields('seconds')) })

/** The Pod Security Standards, which cover every value, judge this as a whole. */
const sharedSecurity: FieldDecisions = {
  seLinuxOptions: fieldsIn(plainFields('user', 'role', 'type', 'level')),
  windowsOptions: ofWindows,
  seccompProfile: fieldsIn(plainFields('type', 'localhostProfile')),
  appArmorProfile: fieldsIn(plainFields('type', 'localhostProfile')),
  ...plainFields('runAsUser', 'runAsGroup', 'runAsNonRoot'),
}

const containerSecurity: FieldDecision = fieldsIn({
  ...sharedSecurity,
  capabilities: fieldsIn(plainFields('add', 'drop')),
  ...plainFields('privileged', 'readOnlyRootFilesystem', 'allowPrivilegeEscalation', 'procMount'),
})

const podSecurity: FieldDecision = fieldsIn({
  ...sharedSecurity,
  ...plainFields(
    'supplementalGroups',
    'supplementalGroupsPolicy',
    'fsGroup',
    'fsGroupChangePolicy',
    'seLinuxChangePolicy',
  ),
  sysctls: eachWith(plainFields('name', 'value')),
})

const environment: FieldDecisions = {
  env: eachWith({
    ...plainFields('name', 'value'),
    valueFrom: fieldsIn({
      fieldRef: fieldReference,
      resourceFieldRef: resourceReference,
      configMapKeyRef: fieldsIn(plainFields('name', 'key', 'optional')),
      secretKeyRef: fieldsIn(plainFields('name', 'key', 'optional')),
    }),
  }),
  envFrom: eachWith({
    ...plainFields('prefix'),
    configMapRef: fieldsIn(plainFields('name', 'optional')),
    secretRef: fieldsIn(plainFields('name', 'optional')),
  }),
}

/** Fields of all containers. */
const process: FieldDecisions = {
  ...plainFields('name', 'image', 'imagePullPolicy', 'command', 'args', 'workingDir'),
  ...plainFields('terminationMessagePath', 'terminationMessagePolicy', 'stdin', 'stdinOnce', 'tty'),
  ...environment,
  resources,
  volumeMounts: eachWith(
    plainFields('name', 'readOnly', 'recursiveReadOnly', 'mountPath', 'subPath', 'mountPropagation', 'subPathExpr'),
  ),
  volumeDevices: eachWith(plainFields('name', 'devicePath')),
  securityContext: containerSecurity,
}

const containers: FieldDecision = eachWith({
  ...process,
  ...plainFields('restartPolicy'),
  ports: eachWith({ ...plainFields('name', 'containerPort', 'protocol'), hostPort: ofHost, hostIP: ofHost }),
  resizePolicy: eachWith(plainFields('resourceName', 'restartPolicy')),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: fieldsIn({ postStart: lifecycleHandler, preStop: lifecycleHandler }),
})

const ofLasting = refusedField('containers for debugging do not have it')

/** Fields of ephemeral containers. */
export const debuggerFields: FieldDecisions = {
  ...process,
  ...plainFields('targetContainerName'),
  restartPolicy: ofLasting,
  ports: ofLasting,
  resizePolicy: ofLasting,
  livenessProbe: ofLasting,
  readinessProbe: ofLasting,
  startupProbe: ofLasting,
  lifecycle: ofLasting,
}

const downwardFiles = eachWith({
  ...plainFields('path', 'mode'),
  fieldRef: fieldReference,
  resourceFieldRef: resourceReference,
})

const volumes: FieldDecision = eachWith({
  ...plainFields('name'),
  emptyDir: fieldsIn(plainFields('medium', 'sizeLimit')),
  configMap: fieldsIn({ ...plainFields('name', 'defaultMode', 'optional'), items: keyToPath }),
  secret: fieldsIn({ ...plainFields('secretName', 'defaultMode', 'optional'), items: keyToPath }),
  downwardAPI: fieldsIn({ ...plainFields('defaultMode'), items: downwardFiles }),
  projected: fieldsIn({
    ...plainFields('defaultMode'),
    sources: eachWith({
      secret: fieldsIn({ ...plainFields('name', 'optional'), items: keyToPath }),
      configMap: fieldsIn({ ...plainFields('name', 'optional'), items: keyToPath }),
      downwardAPI: fieldsIn({ items: downwardFiles }),
      serviceAccountToken: ofToken,
      clusterTrustBundle: refusedField('trust bundles are objects of the host'),
    }),
  }),
  persistentVolumeClaim: fieldsIn(plainFields('claimName', 'readOnly')),
  csi: fieldsIn({
    ...plainFields('driver', 'readOnly', 'fsType', 'volumeAttributes'),
    nodePublishSecretRef: localReference,
  }),
  ephemeral: refusedField('the host would make a claim that the virtual cluster does not know'),
  image: refusedField('images as volumes are not carried to hosts'),
  hostPath: ofHost,
  gitRepo: refusedField('the node would run git on what the tenant names'),
  flexVolume: refusedField('the node would run a driver with what the tenant names'),
  nfs: ofNetwork,
  iscsi: ofNetwork,
  glusterfs: ofNetwork,
  rbd: ofNetwork,
  cinder: ofNetwork,
  cephfs: ofNetwork,
  flocker: ofNetwork,
  fc: ofNetwork,
  azureFile: ofNetwork,
  azureDisk: ofNetwork,
  gcePersistentDisk: ofNetwork,
  awsElasticBlockStore: ofNetwork,
  vsphereVolume: ofNetwork,
  quobyte: ofNetwork,
  photonPersistentDisk: ofNetwork,
  portworxVolume: ofNetwork,
  scaleIO: ofNetwork,
  storageos: ofNetwork,
})

const nodeRequirements = eachWith(plainFields('key', 'operator', 'values'))
const nodeTerm: FieldDecisions = { matchExpressions: nodeRequirements, matchFields: nodeRequirements }

/** Selectors have been narrowed to the tenant's own Pods, and include the namespaces and keys. */
const podTerm: FieldDecisions = {
  ...plainFields('topologyKey', 'namespaces'),
  labelSelector,
  namespaceSelector: fieldsIn({
    matchLabels: refusedField('namespaces cannot be selected by labels; list them in namespaces instead'),
    matchExpressions: refusedField('namespaces cannot be selected by labels; list them in namespaces instead'),
  }),
  matchLabelKeys: translatedAway,
  mismatchLabelKeys: translatedAway,
}

const podTerms: FieldDecision = fieldsIn({
  requiredDuringSchedulingIgnoredDuringExecution: eachWith(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: eachWith({
    ...plainFields('weight'),
    podAffinityTerm: fieldsIn(podTerm),
  }),
})

const affinity: FieldDecision = fieldsIn({
  nodeAffinity: fieldsIn({
    requiredDuringSchedulingIgnoredDuringExecution: fieldsIn({ nodeSelectorTerms: eachWith(nodeTerm) }),
    preferredDuringSchedulingIgnoredDuringExecution: eachWith({
      ...plainFields('weight'),
      preference: fieldsIn(nodeTerm),
    }),
  }),
  podAffinity: podTerms,
  podAntiAffinity: podTerms,
})

const scheduling: FieldDecisions = {
  affinity,
  ...plainFields('nodeSelector'),
  tolerations: eachWith(plainFields('key', 'operator', 'value', 'effect', 'tolerationSeconds')),
  topologySpreadConstraints: eachWith({
    ...plainFields(
      'maxSkew',
      'topologyKey',
      'whenUnsatisfiable',
      'minDomains',
      'nodeAffinityPolicy',
      'nodeTaintsPolicy',
    ),
    labelSelector,
    matchLabelKeys: translatedAway,
  }),
  schedulingGates: refusedField('the Pod waits for its gates in the virtual cluster'),
  schedulerName: droppedField('the scheduler of the host decides'),
  nodeName: translatedAway,
  priority: translatedAway,
  preemptionPolicy: translatedAway,
  overhead: translatedAway,
  ...plainFields('priorityClassName', 'runtimeClassName'),
}

export const podSpecFields: FieldDecisions = {
  containers,
  initContainers: containers,
  ephemeralContainers: eachWith(debuggerFields),
  volumes,
  ...scheduling,
  ...plainFields('restartPolicy', 'terminationGracePeriodSeconds', 'activeDeadlineSeconds', 'shareProcessNamespace'),
  ...plainFields('hostname', 'setHostnameAsFQDN', 'dnsPolicy', 'enableServiceLinks', 'automountServiceAccountToken'),
  ...plainFields('hostUsers'),
  securityContext: podSecurity,
  resources,
  imagePullSecrets: eachWith(plainFields('name')),
  hostAliases: eachWith(plainFields('ip', 'hostnames')),
  dnsConfig: fieldsIn({ ...plainFields('nameservers', 'searches'), options: eachWith(plainFields('name', 'value')) }),
  os: fieldsIn(plainFields('name')),
  subdomain: translatedAway,
  serviceAccountName: translatedAway,
  serviceAccount: translatedAway,
  hostNetwork: ofHost,
  hostPID: ofHost,
  hostIPC: ofHost,
  readinessGates: eachWith(plainFields('conditionType')),
  resourceClaims: ofDevices,
}
