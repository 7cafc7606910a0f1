# Completion of cal and calctl for fish; written by: cal completion fish
function __cal_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l kind ''
    $program __complete fish $words[2..-1] "$current" 2>/dev/null </dev/null | while read -l line
        if test -z "$kind"
            set kind $line
        else if test -z "$line"
            break
        else if contains -- $kind words open
            printf '%s\n' $line
        end
    end
    if string match -q 'files*' -- $kind
        set -l before (string replace -r '^files\t' '' -- $kind)
        for file in (__fish_complete_path (string replace -- "$before" '' "$current"))
            printf '%s%s\n' $before $file
        end
    end
end
complete -c cal -k -f -a '(__cal_complete)'
complete -c calctl -k -f -a '(__cal_complete)'
