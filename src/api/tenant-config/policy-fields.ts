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

const range = 'An address or a range of addresses.'

function keyPolicy(plural: 'Labels' | 'Annotations') {
  const plain = plural === 'Labels' ? 'those without a prefix' : 'those with neither a prefix nor a dot'
  return objectField(`${plural} of a tenant's objects.`, {
    allowed: texts(
      `${plural} that reach the host in addition to ${plain} and those under \`app.kubernetes.io/\`: a prefix (\`example.com/\`), \`*.\` and a prefix for everything below it, a single key, or \`*\` for everything that no well-known controller acts on. A key that the path of a patch names passes too, unless such a controller acts on it.`,
      'A prefix or a key.',
      metadataKey,
    ),
    denied: texts(
      `${plural} that do not reach the host, in the same form. They take precedence over \`allowed\`.`,
      'A prefix or a key.',
      metadataKey,
    ),
  })
}

const endpointAddresses = objectField('Addresses that Endpoints and EndpointSlices may point to on the host.', {
  host: optionalTexts(
    "Addresses of the host's API, nodes and Services, which Endpoints may not point to. An empty list means that there are no such addresses.",
    range,
    addressRangeFormat,
    'filled in by `tenant create` and `tenant up` with the addresses that they can read on the host',
  ),
  denied: texts(
    'Additional addresses that Endpoints may not point to, such as networks that nodes can reach and tenants must not. Loopback, link-local and cloud metadata addresses are always included.',
    range,
    addressRangeFormat,
  ),
  allowed: texts(
    'Addresses that Endpoints may point to even if they are otherwise denied. This list takes precedence over everything else here.',
    range,
    addressRangeFormat,
  ),
})

const sync = objectField(
  "Parts of a tenant's objects that may reach the host. Parts that may not are left out, with a Warning Event.",
  {
    externalIPs: objectField('Services with `spec.externalIPs`.', {
      allowed: texts('Addresses that a Service may claim on every node of the host.', range, addressRangeFormat),
    }),
    loadBalancerIP: objectField('Services with `spec.loadBalancerIP`.', {
      allowed: texts('Addresses that a Service may request for its load balancer.', range, addressRangeFormat),
    }),
    externalNames: objectField('Services of type ExternalName, and EndpointSlices of domain names.', {
      allowed: texts(
        'Names that these objects may point to: one name, `*.` and a domain for all names below it, or `*` for all names that are not internal. The addresses that a name resolves to are not checked.',
        'A name or a pattern.',
        domainPattern,
      ),
    }),
    nodePorts: objectField('Services of type NodePort.', {
      enabled: flag(
        'Whether these Services open a port on every node of the host. Otherwise the copy is of type ClusterIP. The host always chooses the port number.',
        false,
      ),
    }),
    loadBalancers: objectField('Services of type LoadBalancer.', {
      enabled: flag(
        'Whether these Services get a load balancer of the host. Otherwise the copy is of type ClusterIP.',
        false,
      ),
      classes: texts('Values of `spec.loadBalancerClass` that a Service may ask for.', 'A class.', loadBalancerClass),
    }),
    annotations: keyPolicy('Annotations'),
    labels: keyPolicy('Labels'),
    endpointAddresses,
    ingresses: objectField('Ingresses, if they are synced.', {
      hosts: texts(
        'Host names that an Ingress may ask for: one name, `*.` and a domain for all names below it, or `*` for any. `*` also allows an Ingress without a host name, which gets all traffic that no other Ingress claims.',
        'A host name or a pattern.',
        hostPattern,
      ),
    }),
    storageClasses: objectField('PersistentVolumeClaims with `spec.storageClassName`.', {
      allowed: texts(
        'Classes of the host that a claim may name, or `*` for any. A claim that names another class gets the default class of the host. Claims take existing volumes that were created manually for a class before new ones are created.',
        'The name of a class.',
        storageClassPattern,
      ),
    }),
    volumeAttributesClasses: objectField('PersistentVolumeClaims with `spec.volumeAttributesClassName`.', {
      allowed: texts(
        'Classes of the host that a claim may name, or `*` for any. They determine how fast and how expensive a volume is. A claim that names another class gets none.',
        'The name of a class.',
        storageClassPattern,
      ),
    }),
  },
)

const pods = objectField('What Pods of a tenant may request from the host, if they are synced.', {
  security: text(
    'The level of the Pod Security Standards that every Pod must meet, whatever the labels of its namespace say: `privileged`, `baseline` or `restricted`. Volumes, networks and ports of nodes are refused at every level.',
    podSecurityLevel,
    'baseline',
  ),
  tolerations: objectField('Tolerations of node taints.', {
    allowed: texts(
      'Keys of taints that a Pod may tolerate. Other tolerations are left out. Nodes that are not ready or not reachable may always be tolerated for a limited time.',
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
    'Maps PriorityClasses of the virtual cluster to PriorityClasses of the host. Pods of other classes have the default priority of the host. System classes of the host cannot be used.',
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
  csiDrivers: objectField('Volumes that a CSI driver creates for one Pod.', {
    allowed: texts(
      'Drivers that a Pod may name in a `csi` volume. A Pod with another one is held back. Names in `volumeAttributes` mean objects of the host, unless a patch translates them.',
      'The name of a driver.',
      resourceName,
    ),
  }),
})

const isolation = objectField(
  'Objects that isolate tenants from each other on the host. `tenant create` creates them if it creates the namespace of the virtual cluster and all copies are in that namespace.',
  {
    networkPolicies: objectField('Network connections of the Pods of the tenant.', {
      enabled: flag(
        'Whether NetworkPolicies are created: Pods of the tenant reach each other, its DNS, its API and public addresses, but no addresses of the host, of clouds or of other tenants. None are created if NetworkPolicies are synced (`sync.toHost.networkPolicies`), because together they would only ever allow more.',
        true,
      ),
      allowed: texts(
        'Addresses to and from which Pods of the tenant may connect even if they are private or belong to the host.',
        range,
        addressRangeFormat,
      ),
      fromNamespaces: texts(
        'Namespaces of the host whose Pods may connect to those of the tenant, such as the namespace of an Ingress controller.',
        'The name of a namespace.',
        namespaceName,
      ),
      podRanges: texts(
        'Public address ranges of the Pods of the host, if its nodes do not list them in `spec.podCIDRs`, as in cloud networks that give Pods addresses of their own. Unlike other public addresses, they are not open to Pods of the tenant.',
        range,
        addressRangeFormat,
      ),
    }),
    resourceQuota: objectField('Limits on what the tenant may use on the host.', {
      enabled: flag(
        'Whether a ResourceQuota is created. It also counts the Pod and the volume of the virtual cluster itself.',
        true,
      ),
      hard: mapField(
        'Limits by resource. Defaults for resources that are not listed: `pods` 500, `count/pods` 2000, `persistentvolumeclaims` 200, `requests.storage` 2Ti, `services` 500, `services.loadbalancers` 50, `services.nodeports` 100, `secrets` and `configmaps` 3000, and, if a LimitRange is created, `requests.cpu` 64 and `requests.memory` 256Gi.',
        quotaResourceFormat,
        requiredText('Amount of the resource.', amountFormat),
      ),
    }),
    limitRange: objectField('Defaults for containers that set no requests or limits.', {
      enabled: flag('Whether a LimitRange is created.', true),
      defaultRequest: mapField(
        'Requests of containers that set none, by resource. Defaults: `cpu` 50m, `memory` 64Mi.',
        quotaResourceFormat,
        requiredText('Amount of the resource.', amountFormat),
      ),
      default: mapField(
        'Limits of containers that set none, by resource.',
        quotaResourceFormat,
        requiredText('Amount of the resource.', amountFormat),
      ),
    }),
  },
)

export const policyFields = objectField('What a tenant may do on its host.', { sync, pods, isolation })
