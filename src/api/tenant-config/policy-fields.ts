import { flag, mapField, objectField, optionalTexts, requiredText, text, texts } from './field-builder.ts'
import {
  addressRangeFormat,
  amountFormat,
  domainPattern,
  hostPattern,
  labelKeyFormat,
  labelValue,
  loadBalancerClass,
  metadataKey,
  namespaceName,
  podSecurityLevel,
  quotaResourceFormat,
  resourceName,
  storageClassPattern,
} from './text-format.ts'

const range = 'An address or a range of them.'

function keyPolicy(plural: 'Labels' | 'Annotations') {
  return objectField(`${plural} of a tenant's objects.`, {
    allowed: texts(
      `${plural} that reach the host besides those without a prefix and those under \`app.kubernetes.io/\`: a prefix (\`example.com/\`), \`*.\` and a prefix for all below it, a single key, or \`*\` for everything that no well-known controller acts on. What a patch of one key names passes too, unless such a controller acts on it.`,
      'A prefix or a key.',
      metadataKey,
    ),
    denied: texts(
      `${plural} that do not reach the host, in the same form. It counts for more than \`allowed\`.`,
      'A prefix or a key.',
      metadataKey,
    ),
  })
}

const endpointAddresses = objectField('Where Endpoints and EndpointSlices may lead on the host.', {
  host: optionalTexts(
    "Addresses of the host's API, nodes and Services, which Endpoints may not lead to. An empty list says that there are none to know of.",
    range,
    addressRangeFormat,
    'filled in by `tenant create` and `tenant up` with what they can read on the host',
  ),
  denied: texts(
    'More addresses that Endpoints may not lead to, such as networks that nodes can reach and tenants must not. Loopback, link-local and metadata addresses of clouds are always among them.',
    range,
    addressRangeFormat,
  ),
  allowed: texts(
    'Addresses that Endpoints may lead to although they are among the others. It counts for more than everything else here.',
    range,
    addressRangeFormat,
  ),
})

const sync = objectField(
  "What of a tenant's objects may reach the host. What may not is left out, with a Warning Event.",
  {
    externalIPs: objectField('Services with `spec.externalIPs`.', {
      allowed: texts(
        'Addresses that a Service may claim for itself on every node of the host.',
        range,
        addressRangeFormat,
      ),
    }),
    loadBalancerIP: objectField('Services with `spec.loadBalancerIP`.', {
      allowed: texts('Addresses that a load balancer may be asked to have.', range, addressRangeFormat),
    }),
    externalNames: objectField('Services of type ExternalName, and EndpointSlices of names.', {
      allowed: texts(
        'Names that may be led to: one name, `*.` and a domain for all names below it, or `*` for all names that are not internal. What a name resolves to is not looked at.',
        'A name or a pattern.',
        domainPattern,
      ),
    }),
    nodePorts: objectField('Services of type NodePort.', {
      enabled: flag(
        'Whether they open a port on every node of the host. Otherwise the copy is of type ClusterIP. The number is always for the host to choose.',
        false,
      ),
    }),
    loadBalancers: objectField('Services of type LoadBalancer.', {
      enabled: flag('Whether they get a load balancer of the host. Otherwise the copy is of type ClusterIP.', false),
      classes: texts('Values of `spec.loadBalancerClass` that a Service may ask for.', 'A class.', loadBalancerClass),
    }),
    annotations: keyPolicy('Annotations'),
    labels: keyPolicy('Labels'),
    endpointAddresses,
    ingresses: objectField('Ingresses, where they are synced.', {
      hosts: texts(
        'Host names that an Ingress may ask for: one name, `*.` and a domain for all names below it, or `*` for any. `*` also allows an Ingress without a host name, which gets all traffic that no other Ingress claims.',
        'A host name or a pattern.',
        hostPattern,
      ),
    }),
    storageClasses: objectField('PersistentVolumeClaims with `spec.storageClassName`.', {
      allowed: texts(
        'Classes of the host that a claim may name, or `*` for any. A claim that names another one gets the default class of the host. Volumes that were made by hand for a class are taken by claims before new ones are made.',
        'The name of a class.',
        storageClassPattern,
      ),
    }),
    volumeAttributesClasses: objectField('PersistentVolumeClaims with `spec.volumeAttributesClassName`.', {
      allowed: texts(
        'Classes of the host that a claim may name, or `*` for any. They decide how fast, and how dear, a volume is. A claim that names another one has none.',
        'The name of a class.',
        storageClassPattern,
      ),
    }),
  },
)

const pods = objectField('What Pods of a tenant may ask of the host, where they are synced.', {
  security: text(
    'The level of the Pod Security Standards that every Pod must keep to, whatever the labels of its namespace say: `privileged`, `baseline` or `restricted`. Volumes, networks and ports of nodes are refused at each level.',
    podSecurityLevel,
    'baseline',
  ),
  tolerations: objectField('Taints of nodes.', {
    allowed: texts(
      'Keys of taints that a Pod may tolerate. Others are left out of it. Nodes that are not ready or not reachable may always be tolerated for a time.',
      'The key of a taint.',
      labelKeyFormat,
    ),
  }),
  nodeSelector: mapField(
    'Labels of the nodes on which Pods of the tenant run. A Pod that asks for another value is held back.',
    labelKeyFormat,
    requiredText('The value of the label.', labelValue),
  ),
  priorityClasses: mapField(
    'From a PriorityClass of the virtual cluster to one of the host. Pods of other classes have the priority that the host gives by default. Classes of the system cannot be given.',
    resourceName,
    requiredText('The PriorityClass of the host.', resourceName),
  ),
  runtimeClasses: objectField('RuntimeClasses of the host.', {
    allowed: texts(
      'Classes that a Pod may ask for. A Pod that asks for another one is held back.',
      'The name of a class.',
      resourceName,
    ),
  }),
  csiDrivers: objectField('Volumes that a driver makes for one Pod.', {
    allowed: texts(
      'Drivers that a Pod may name in a `csi` volume. A Pod with another one is held back.',
      'The name of a driver.',
      resourceName,
    ),
  }),
})

const isolation = objectField(
  'What keeps tenants apart on the host. It is made by `tenant create` where it makes the namespace of the virtual cluster, and where all copies are in that namespace.',
  {
    networkPolicies: objectField('With whom Pods of the tenant may be connected.', {
      enabled: flag(
        'Whether NetworkPolicies are made: Pods of the tenant reach each other, its DNS, its API and public addresses, and no addresses of the host, of clouds and of other tenants. Not made where NetworkPolicies are synced (`sync.toHost.networkPolicies`): together they would only ever allow more.',
        true,
      ),
      allowed: texts(
        'Addresses that Pods of the tenant may be connected with although they are private or of the host.',
        range,
        addressRangeFormat,
      ),
      fromNamespaces: texts(
        'Namespaces of the host whose Pods may connect to those of the tenant, such as that of an Ingress controller.',
        'The name of a namespace.',
        namespaceName,
      ),
      podRanges: texts(
        'Ranges of the Pods of the host that are public, where its nodes do not tell them (`spec.podCIDRs`), as with networks of a cloud that give Pods addresses of their own: Pods in them are not connected with as the outside is.',
        range,
        addressRangeFormat,
      ),
    }),
    resourceQuota: objectField('How much the tenant may have on the host.', {
      enabled: flag(
        'Whether a ResourceQuota is made. It counts the Pod and the volume of the virtual cluster itself, too.',
        true,
      ),
      hard: mapField(
        'Limits by resource. Defaults for resources that are not listed: `pods` 500, `count/pods` 2000, `persistentvolumeclaims` 200, `requests.storage` 2Ti, `services` 500, `services.loadbalancers` 50, `services.nodeports` 100, `secrets` and `configmaps` 3000, and, if a LimitRange is made, `requests.cpu` 64 and `requests.memory` 256Gi.',
        quotaResourceFormat,
        requiredText('How much.', amountFormat),
      ),
    }),
    limitRange: objectField('What containers have that say nothing of it.', {
      enabled: flag('Whether a LimitRange is made.', true),
      defaultRequest: mapField(
        'What they request, by resource. Defaults: `cpu` 50m, `memory` 64Mi.',
        quotaResourceFormat,
        requiredText('How much.', amountFormat),
      ),
      default: mapField(
        'What they are limited to, by resource.',
        quotaResourceFormat,
        requiredText('How much.', amountFormat),
      ),
    }),
  },
)

export const policyFields = objectField('What a tenant may do on its host.', { sync, pods, isolation })
