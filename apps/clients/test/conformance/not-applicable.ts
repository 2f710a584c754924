const NEEDS_ITS_OWN_TOOL = 'calls a tool of the reference server, made for this test; ours are those of a memory'
const NO_PROMPTS = 'we have no prompts, and declare none'
const NO_QUESTIONS = 'no tool of ours asks the client anything; the scenario calls one of the reference server that does'
const NO_SUBSCRIPTIONS = 'we declare no subscriptions: notes are read again when they are needed'
const NEEDS_ITS_OWN_RESOURCE = 'reads a resource of the reference server, made for this test; ours are notes'

/** The scenarios of the official suite that a memory cannot pass, and why. One that passes anyway has no place here. */
export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'logging-set-level': 'we send no log messages to clients, and declare no logging',
  'tools-call-simple-text': NEEDS_ITS_OWN_TOOL,
  'tools-call-image': NEEDS_ITS_OWN_TOOL,
  'tools-call-audio': NEEDS_ITS_OWN_TOOL,
  'tools-call-embedded-resource': NEEDS_ITS_OWN_TOOL,
  'tools-call-mixed-content': NEEDS_ITS_OWN_TOOL,
  'tools-call-with-logging': NEEDS_ITS_OWN_TOOL,
  'tools-call-error': NEEDS_ITS_OWN_TOOL,
  'tools-call-with-progress': NEEDS_ITS_OWN_TOOL,
  'tools-call-sampling': NO_QUESTIONS,
  'tools-call-elicitation': NO_QUESTIONS,
  'json-schema-2020-12': NEEDS_ITS_OWN_TOOL,
  'elicitation-sep1034-defaults': NO_QUESTIONS,
  'elicitation-sep1330-enums': NO_QUESTIONS,
  'server-sse-polling': `${NEEDS_ITS_OWN_TOOL}; a stream that ends early is not taken up again, the call is made once more`,
  'resources-read-text': NEEDS_ITS_OWN_RESOURCE,
  'resources-read-binary': NEEDS_ITS_OWN_RESOURCE,
  'resources-templates-read': NEEDS_ITS_OWN_RESOURCE,
  'resources-subscribe': NO_SUBSCRIPTIONS,
  'resources-unsubscribe': NO_SUBSCRIPTIONS,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
}
