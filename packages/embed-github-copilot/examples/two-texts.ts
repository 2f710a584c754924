import { createGitHubCopilot } from '@mnemark/embed-github-copilot'

const copilot = createGitHubCopilot({
  githubToken: process.env['COPILOT_GITHUB_TOKEN'] ?? '',
  githubUrl: process.env['GITHUB_API_URL'],
  dimensions: 512,
})

const { vectors, usage } = await copilot.embed({
  inputs: [
    { type: 'text', text: 'Deploys go through the blue cluster.' },
    { type: 'text', text: 'قررنا تأجيل الإطلاق إلى يوم الأحد.' },
  ],
  inputType: 'document',
})
console.log(
  vectors.map((vector) => vector?.length),
  usage?.inputTokens,
)
