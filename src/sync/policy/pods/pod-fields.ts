import {
  dropped,
  eachWith,
  type FieldDecision,
  type FieldDecisions,
  fieldsIn,
  refused,
  values,
} from './known-fields.ts'

/**
 * What becomes of each field of a Pod that has been translated for the host, down to the last one. A field that the tables
 * of Kubernetes get and that is not decided here fails a test, and until then nothing with it passes.
 */

const byNode = refused("the node would connect to an address of the tenant's choice")
const ofHost = refused('it belongs to the node and not to the Pod')
const ofNetwork = refused('the node would mount it with its own network identity')
const ofDevices = refused('devices of nodes are not given to tenants')
const ofWindows = refused('Pods of tenants run on Linux')
const ofToken = refused('tokens of service accounts are not delivered to Pods on a host yet')
const translatedAway = refused('it is set by the host')

const keyToPath = eachWith(values('key', 'path', 'mode'))
const localReference = fieldsIn(values('name'))
const fieldReference = fieldsIn(values('apiVersion', 'fieldPath'))
const resourceReference = fieldsIn(values('containerName', 'resource', 'divisor'))

const labelSelector: FieldDecision = fieldsIn({
  ...values('matchLabels'),
  matchExpressions: eachWith(values('key', 'operator', 'values')),
})

const resources: FieldDecision = fieldsIn({ ...values('limits', 'requests'), claims: ofDevices })

const httpGet: FieldDecision = fieldsIn({
  ...values('path', 'port', 'scheme'),
  host: byNode,
  httpHeaders: eachWith(values('name', 'value')),
})

const tcpSocket: FieldDecision = fieldsIn({ ...values('port'), host: byNode })

const handler: FieldDecisions = { exec: fieldsIn(values('command')), httpGet, tcpSocket }

const probe: FieldDecision = fieldsIn({
  ...handler,
  grpc: fieldsIn(values('port', 'service')),
  ...values('initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'),
  ...values('terminationGracePeriodSeconds'),
})

const lifecycleHandler: FieldDecision = fieldsIn({ ...handler, sleep: fieldsIn(values('seconds')) })

/** Judged as a whole by the Pod Security Standards, which know every value of it. */
const sharedSecurity: FieldDecisions = {
  seLinuxOptions: fieldsIn(values('user', 'role', 'type', 'level')),
  windowsOptions: ofWindows,
  seccompProfile: fieldsIn(values('type', 'localhostProfile')),
  appArmorProfile: fieldsIn(values('type', 'localhostProfile')),
  ...values('runAsUser', 'runAsGroup', 'runAsNonRoot'),
}

const containerSecurity: FieldDecision = fieldsIn({
  ...sharedSecurity,
  capabilities: fieldsIn(values('add', 'drop')),
  ...values('privileged', 'readOnlyRootFilesystem', 'allowPrivilegeEscalation', 'procMount'),
})

const podSecurity: FieldDecision = fieldsIn({
  ...sharedSecurity,
  ...values('supplementalGroups', 'supplementalGroupsPolicy', 'fsGroup', 'fsGroupChangePolicy', 'seLinuxChangePolicy'),
  sysctls: eachWith(values('name', 'value')),
})

const environment: FieldDecisions = {
  env: eachWith({
    ...values('name', 'value'),
    valueFrom: fieldsIn({
      fieldRef: fieldReference,
      resourceFieldRef: resourceReference,
      configMapKeyRef: fieldsIn(values('name', 'key', 'optional')),
      secretKeyRef: fieldsIn(values('name', 'key', 'optional')),
    }),
  }),
  envFrom: eachWith({
    ...values('prefix'),
    configMapRef: fieldsIn(values('name', 'optional')),
    secretRef: fieldsIn(values('name', 'optional')),
  }),
}

const containers: FieldDecision = eachWith({
  ...values('name', 'image', 'imagePullPolicy', 'command', 'args', 'workingDir', 'restartPolicy'),
  ...values('terminationMessagePath', 'terminationMessagePolicy', 'stdin', 'stdinOnce', 'tty'),
  ...environment,
  ports: eachWith({ ...values('name', 'containerPort', 'protocol'), hostPort: ofHost, hostIP: ofHost }),
  resources,
  resizePolicy: eachWith(values('resourceName', 'restartPolicy')),
  volumeMounts: eachWith(
    values('name', 'readOnly', 'recursiveReadOnly', 'mountPath', 'subPath', 'mountPropagation', 'subPathExpr'),
  ),
  volumeDevices: eachWith(values('name', 'devicePath')),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: fieldsIn({ postStart: lifecycleHandler, preStop: lifecycleHandler }),
  securityContext: containerSecurity,
})

const downwardFiles = eachWith({
  ...values('path', 'mode'),
  fieldRef: fieldReference,
  resourceFieldRef: resourceReference,
})

const volumes: FieldDecision = eachWith({
  ...values('name'),
  emptyDir: fieldsIn(values('medium', 'sizeLimit')),
  configMap: fieldsIn({ ...values('name', 'defaultMode', 'optional'), items: keyToPath }),
  secret: fieldsIn({ ...values('secretName', 'defaultMode', 'optional'), items: keyToPath }),
  downwardAPI: fieldsIn({ ...values('defaultMode'), items: downwardFiles }),
  projected: fieldsIn({
    ...values('defaultMode'),
    sources: eachWith({
      secret: fieldsIn({ ...values('name', 'optional'), items: keyToPath }),
      configMap: fieldsIn({ ...values('name', 'optional'), items: keyToPath }),
      downwardAPI: fieldsIn({ items: downwardFiles }),
      serviceAccountToken: ofToken,
      clusterTrustBundle: refused('trust bundles are objects of the host'),
    }),
  }),
  persistentVolumeClaim: fieldsIn(values('claimName', 'readOnly')),
  csi: fieldsIn({
    ...values('driver', 'readOnly', 'fsType', 'volumeAttributes'),
    nodePublishSecretRef: localReference,
  }),
  ephemeral: refused('no claim is made for it; name a claim with persistentVolumeClaim instead'),
  image: refused('images as volumes are not carried to hosts'),
  hostPath: ofHost,
  gitRepo: refused('the node would run git on what the tenant names'),
  flexVolume: refused('the node would run a driver with what the tenant names'),
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

const nodeRequirements = eachWith(values('key', 'operator', 'values'))
const nodeTerm: FieldDecisions = { matchExpressions: nodeRequirements, matchFields: nodeRequirements }

/** Selectors have been narrowed to the tenant's own Pods, and namespaces and keys put into them. */
const podTerm: FieldDecisions = {
  ...values('topologyKey', 'namespaces'),
  labelSelector,
  namespaceSelector: fieldsIn({
    matchLabels: refused('namespaces cannot be selected by labels; list them in namespaces instead'),
    matchExpressions: refused('namespaces cannot be selected by labels; list them in namespaces instead'),
  }),
  matchLabelKeys: translatedAway,
  mismatchLabelKeys: translatedAway,
}

const podTerms: FieldDecision = fieldsIn({
  requiredDuringSchedulingIgnoredDuringExecution: eachWith(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: eachWith({
    ...values('weight'),
    podAffinityTerm: fieldsIn(podTerm),
  }),
})

const affinity: FieldDecision = fieldsIn({
  nodeAffinity: fieldsIn({
    requiredDuringSchedulingIgnoredDuringExecution: fieldsIn({ nodeSelectorTerms: eachWith(nodeTerm) }),
    preferredDuringSchedulingIgnoredDuringExecution: eachWith({ ...values('weight'), preference: fieldsIn(nodeTerm) }),
  }),
  podAffinity: podTerms,
  podAntiAffinity: podTerms,
})

const scheduling: FieldDecisions = {
  affinity,
  ...values('nodeSelector'),
  tolerations: eachWith(values('key', 'operator', 'value', 'effect', 'tolerationSeconds')),
  topologySpreadConstraints: eachWith({
    ...values('maxSkew', 'topologyKey', 'whenUnsatisfiable', 'minDomains', 'nodeAffinityPolicy', 'nodeTaintsPolicy'),
    labelSelector,
    matchLabelKeys: translatedAway,
  }),
  schedulingGates: refused('the Pod waits for its gates in the virtual cluster'),
  schedulerName: dropped('the scheduler of the host decides'),
  nodeName: translatedAway,
  priority: translatedAway,
  preemptionPolicy: translatedAway,
  overhead: translatedAway,
  ...values('priorityClassName', 'runtimeClassName'),
}

export const podSpecFields: FieldDecisions = {
  containers,
  initContainers: containers,
  ephemeralContainers: dropped('containers for debugging are not carried to hosts yet'),
  volumes,
  ...scheduling,
  ...values('restartPolicy', 'terminationGracePeriodSeconds', 'activeDeadlineSeconds', 'shareProcessNamespace'),
  ...values('hostname', 'setHostnameAsFQDN', 'dnsPolicy', 'enableServiceLinks', 'automountServiceAccountToken'),
  securityContext: podSecurity,
  resources,
  imagePullSecrets: eachWith(values('name')),
  hostAliases: eachWith(values('ip', 'hostnames')),
  dnsConfig: fieldsIn({ ...values('nameservers', 'searches'), options: eachWith(values('name', 'value')) }),
  os: fieldsIn(values('name')),
  subdomain: translatedAway,
  serviceAccountName: translatedAway,
  serviceAccount: translatedAway,
  hostNetwork: ofHost,
  hostPID: ofHost,
  hostIPC: ofHost,
  hostUsers: ofHost,
  readinessGates: refused('conditions for readiness gates are not carried to hosts yet'),
  resourceClaims: ofDevices,
}
