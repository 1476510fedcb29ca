/** Descriptions of frequently used fields of containers: probes, hooks, states and rights. */
export const containerTexts: Readonly<Record<string, string>> = {
  'core.Container.lifecycle': 'Hooks that run right after the container starts and right before it is terminated.',
  'core.Lifecycle.postStart':
    'Runs right after the container starts, in parallel with the program of the container. If it fails, the container is terminated.',
  'core.Lifecycle.preStop':
    'Runs before the container is terminated by a deletion or a failed probe. The time it takes counts toward the grace period of the pod.',
  'core.LifecycleHandler.exec': 'A command to run in the container.',
  'core.LifecycleHandler.httpGet': 'An HTTP request to send to the container.',
  'core.LifecycleHandler.sleep': 'A pause of a fixed length.',
  'core.LifecycleHandler.tcpSocket': 'Deprecated: the value is stored but has no effect.',
  'core.HTTPGetAction.port': 'Port to send the request to: a number from 1 to 65535, or the name of a container port.',
  'core.TCPSocketAction.port': 'Port to connect to: a number from 1 to 65535, or the name of a container port.',
  'core.ContainerStatus.state': 'The current state of the container.',
  'core.ContainerStatus.lastState': 'How the previous run of the container ended.',
  'core.ContainerStatus.resources': 'Requests and limits that apply to the running container.',
  'core.ContainerState.waiting': 'Set while the container has not started yet; gives the reason.',
  'core.ContainerState.running': 'Set while the container is running; gives the time at which it started.',
  'core.ContainerState.terminated': 'Set once the container has terminated; gives the exit code and the reason.',
  'core.EphemeralContainerCommon.resources': 'Cannot be set: an ephemeral container uses spare resources of its pod.',
  'core.EphemeralContainerCommon.livenessProbe': 'Cannot be set for ephemeral containers.',
  'core.EphemeralContainerCommon.readinessProbe': 'Cannot be set for ephemeral containers.',
  'core.EphemeralContainerCommon.startupProbe': 'Cannot be set for ephemeral containers.',
  'core.EphemeralContainerCommon.lifecycle': 'Cannot be set for ephemeral containers.',
  'core.EphemeralContainerCommon.securityContext':
    'User, group, capabilities and other security settings of the container.',
  'core.SecurityContext.capabilities':
    'Capabilities to add to, or drop from, those that the container runtime grants by default.',
  'core.SecurityContext.seLinuxOptions': 'SELinux context of the container. Overrides the value of the pod.',
  'core.SecurityContext.seccompProfile':
    'Seccomp profile, which restricts the system calls of the container. Overrides the value of the pod.',
  'core.SecurityContext.appArmorProfile': 'AppArmor profile of the container. Overrides the value of the pod.',
  'core.SecurityContext.windowsOptions': 'Settings for containers on Windows. They override the values of the pod.',
  'core.PodSecurityContext.seLinuxOptions': 'SELinux context of every container that does not set one.',
  'core.PodSecurityContext.seccompProfile':
    'Seccomp profile, which restricts system calls, of every container that does not set one.',
  'core.PodSecurityContext.appArmorProfile': 'AppArmor profile of every container that does not set one.',
  'core.PodSecurityContext.windowsOptions': 'Settings for every container on Windows that does not set them.',
  'core.PodSpec.dnsConfig': 'Name servers, search domains and options to add to those that result from dnsPolicy.',
  'core.PodSpec.os': 'Operating system of the containers. Fields that do not apply to it must be absent.',
  'core.PodSpec.resources': 'Resources that all containers together request, and may use at most.',
}
