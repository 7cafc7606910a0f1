// The completion scripts of the four shells. They contain no commands or flags but call the program, so they never become outdated.
import { formatSuggestion } from "../../closest.ts";
import type { Handler } from "../../commands/command.ts";
import { usageError } from "../../errors.ts";
import { completionCommand, type Shell, shells } from "./words.ts";

/** The names under which the program is installed. */
const programNames = ["cal", "calctl"] as const;

const joinedProgramNames = programNames.join(" ");
const formatHeader = (shell: Shell) => `# Completion of ${programNames.join(" and ")} for ${shell}; written by: cal completion ${shell}`;

// A shell function does not see aliases, so an alias of the program is divided into words; nothing in them is expanded or run.
// Reading stops at the empty line, so the script does not wait for the program to end.
const bash = `${formatHeader("bash")}
__cal_complete() {
    local kind= line
    local -a program=("\${1/#\\~\\//$HOME/}")
    case $1 in ${programNames.join(" | ")}) [[ -z \${BASH_ALIASES[$1]-} ]] || read -ra program <<<"\${BASH_ALIASES[$1]}" ;; esac
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line
        elif [[ -n $line ]]; then COMPREPLY+=("$line")
        else break
        fi
    done < <("\${program[@]}" ${completionCommand} bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
    case $kind in
        words) ;;
        open) compopt -o nospace 2>/dev/null ;;
        files*)
            compopt -o default 2>/dev/null
            [[ $2 == @* ]] || return 0
            compopt -o nospace 2>/dev/null
            while IFS= read -r line; do
                [[ -d $line ]] && line+=/
                printf -v line '@%q' "$line"
                COMPREPLY+=("$line")
            done < <(compgen -f -- "\${2#@}")
            ;;
        *) COMPREPLY=() ;;
    esac
}
complete -F __cal_complete ${joinedProgramNames}
`;

const zsh = `#compdef ${joinedProgramNames}
${formatHeader("zsh")}
_cal() {
    local kind= line
    local -a texts shown program=("\${\${(Q)words[1]}/#\\~\\//$HOME/}")
    [[ -z \${aliases[$words[1]]-} ]] || program=("\${(@Q)\${(z)aliases[$words[1]]}}")
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line
        elif [[ -n $line ]]; then
            texts+=("\${line%%$'\\t'*}")
            shown+=("\${line/$'\\t'/  -- }")
        else break
        fi
    done < <("$program[@]" ${completionCommand} zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)
    local -a how=(-M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -l -d shown -a texts)
    case $kind in
        words) compadd "$how[@]" ;;
        open) compadd -S '' "$how[@]" ;;
        files*) compset -P "\${(b)\${kind#*$'\\t'}}"; _files ;;
    esac
}
if [[ $funcstack[1] == _cal ]]; then _cal "$@"; else compdef _cal ${joinedProgramNames}; fi
`;

const fish = `${formatHeader("fish")}
function __cal_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l kind ''
    $program ${completionCommand} fish $words[2..-1] "$current" 2>/dev/null </dev/null | while read -l line
        if test -z "$kind"
            set kind $line
        else if test -z "$line"
            break
        else if contains -- $kind words open
            printf '%s\\n' $line
        end
    end
    if string match -q 'files*' -- $kind
        set -l before (string replace -r '^files\\t' '' -- $kind)
        for file in (__fish_complete_path (string replace -- "$before" '' "$current"))
            printf '%s%s\\n' $before $file
        end
    end
end
${programNames.map((name) => `complete -c ${name} -k -f -a '(__cal_complete)'`).join("\n")}
`;

// The line is sent as Base64, because versions of Windows treat quotes in arguments differently.
const powershell = `${formatHeader("powershell")}
Register-ArgumentCompleter -Native -CommandName ${programNames.map((name) => `'${name}'`).join(", ")} -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    $line = $commandAst.Extent.Text.PadRight($length).Substring(0, $length)
    $typed = [Convert]::ToBase64String([System.Text.Encoding]::UTF8.GetBytes($line))
    $encoding = [Console]::OutputEncoding
    try {
        [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
        $answer = @(& $commandAst.GetCommandName() ${completionCommand} powershell $typed 2>$null)
    } catch {
        return
    } finally {
        [Console]::OutputEncoding = $encoding
    }
    if ($answer.Count -eq 0 -or $answer[0] -notin 'words', 'open') { return }
    foreach ($candidate in $answer | Select-Object -Skip 1) {
        if ($candidate -eq '') { break }
        $text, $means = $candidate -split "\`t", 2
        if (-not $means) { $means = $text }
        [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $means)
    }
}
`;

/** The script of each shell, for both names of the program. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };

/** Lines that can be pasted. */
const installationSteps: Readonly<Record<Shell, readonly string[]>> = {
  bash: ["echo 'source <(cal completion bash)' >> ~/.bashrc"],
  zsh: ["mkdir -p ~/.zfunc && cal completion zsh > ~/.zfunc/_cal", "and in ~/.zshrc, before compinit: fpath=(~/.zfunc $fpath)"],
  fish: ["cal completion fish > ~/.config/fish/conf.d/cal-completion.fish"],
  powershell: ["cal completion powershell >> $PROFILE"],
};

/** `cal completion <shell>`: the script on stdout, and on a terminal how to install it on stderr. Usage error for other shells. */
export const printScript: Handler = async ({ args: [name = ""] }, context) => {
  const shell = shells.find((one) => one === name);
  if (shell === undefined)
    throw usageError(
      `there is no completion for ${JSON.stringify(name)}${formatSuggestion(name, shells)}`,
      `there is one for ${shells.join(", ")}`,
    );
  await context.io.stdout.write(scripts[shell]);
  if (context.io.stdout.isTTY)
    await context.notice(["", "To install it:", ...installationSteps[shell].map((line) => `  ${line}`)].join("\n"));
  return { kind: "nothing" };
};
